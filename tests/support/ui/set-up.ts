import { afterEach, expect, vi } from 'vitest'

// Snapshots contain outlines without quotes and escapes.
expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', serialize: (text) => text })

// motion checks whether elements belong to this class. Node has another class of the same name.
globalThis.EventTarget = Object.getPrototypeOf(Node)

const complaints = (['error', 'warn'] as const).map((method) => vi.spyOn(console, method))

afterEach(() => {
  const calls = complaints.flatMap((spy) => spy.mock.calls)
  for (const spy of complaints) spy.mockClear()
  expect(calls, 'errors and warnings in the console').toEqual([])
})

// A browser does not report the promise of a canceled animation.
const { animate } = Element.prototype
Element.prototype.animate = function (...options) {
  const animation = animate.apply(this, options)
  animation.finished.catch(() => {})
  return animation
}
