import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

let spies: MockInstance[] = []

beforeEach(() => {
  spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
})

// Asserted afterwards: what a spy throws while React renders, React swallows.
afterEach(() => {
  const complaints = spies.flatMap((spy) => spy.mock.calls)
  vi.restoreAllMocks()
  expect(complaints, 'the console was told of an error or a warning').toEqual([])
})
