import { afterEach, beforeEach, expect, vi } from 'vitest'

const complaints = vi.fn()
beforeEach(() => {
  for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(complaints)
})

// Asserted after the test, because React swallows an error that a spy throws during rendering.
afterEach(() => {
  vi.restoreAllMocks()
  const { calls } = complaints.mock
  complaints.mockReset()
  expect(calls, 'errors and warnings in the console').toEqual([])
})
