import { afterEach, beforeEach, expect, vi } from 'vitest'

const complaints = vi.fn()
beforeEach(() => {
  for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(complaints)
})

// Asserted afterwards: what a spy throws while React renders, React swallows.
afterEach(() => {
  vi.restoreAllMocks()
  const { calls } = complaints.mock
  complaints.mockReset()
  expect(calls, 'the console was told of an error or a warning').toEqual([])
})
