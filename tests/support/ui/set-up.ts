import { afterEach, expect, vi } from 'vitest'

// Snapshots contain outlines without quotes and escapes.
expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', serialize: (text) => text })

// The package `motion` checks whether elements belong to this class. Node.js has another class of the same name.
globalThis.EventTarget = Object.getPrototypeOf(Node)

const complaints = (['error', 'warn'] as const).map((method) => vi.spyOn(console, method))

afterEach(() => {
  const calls = complaints.flatMap((spy) => spy.mock.calls)
  for (const spy of complaints) spy.mockClear()
  expect(calls, 'errors and warnings in the console').toEqual([])
})

// The promise of a canceled animation rejects. A browser ignores that, but here it would make a test fail.
const { animate } = Element.prototype
Element.prototype.animate = function (...options) {
  const animation = animate.apply(this, options)
  animation.finished.catch(() => {})
  return animation
}
