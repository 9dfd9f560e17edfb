import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  type ActiveNotification,
  createNotificationCenter,
  DEFAULT_LIFE,
  type Notification,
  type NotificationCenter,
} from '../../src/domain/notification.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

const brief: Notification = { severity: 'success', summary: 'Brief', detail: 'd', life: 3000, closable: false }
const sticky: Notification = { severity: 'error', summary: 'Sticky', detail: 'd', life: 'sticky', closable: true }

function setUp() {
  const timers = createFakeTimers()
  const center = createNotificationCenter(timers)
  const told: (ActiveNotification | null)[] = []
  center.onChange((showing) => told.push(showing))
  const shown = () => center.current()?.notification ?? null
  return { timers, center, told, shown }
}

it('a life lasts 3000 ms, if nothing else is said', () => {
  expect(DEFAULT_LIFE).toBe(3000)
})

describe('a notification', () => {
  it('is on the screen for its life, to the millisecond', () => {
    const { timers, center, told, shown } = setUp()
    center.show(brief)
    timers.advance(2999)
    expect(shown()).toBe(brief)
    timers.advance(1)
    expect(shown()).toBeNull()
    expect(told.map((showing) => showing?.notification ?? null)).toEqual([brief, null])
  })

  it('stays when it is sticky, and starts no timer', () => {
    const { timers, center, shown } = setUp()
    center.show(sticky)
    expect(timers.pending()).toBe(0)
    timers.advance(1e9)
    expect(shown()).toBe(sticky)
  })

  it('goes when it is closed, and its timer with it', () => {
    const { timers, center, shown } = setUp()
    center.show(brief)
    center.close()
    expect(shown()).toBeNull()
    expect(timers.pending()).toBe(0)
  })

  it('closes without a word when there is none', () => {
    const { center, told } = setUp()
    center.close()
    expect(told).toEqual([])
  })
})

describe('a new notification', () => {
  it('takes the place of the one before, with a life of its own', () => {
    const { timers, center, shown } = setUp()
    const next = { ...brief, summary: 'Next' }
    center.show(brief)
    timers.advance(2000)
    center.show(next)
    timers.advance(2999)
    expect(shown()).toBe(next)
    timers.advance(1)
    expect(shown()).toBeNull()
  })

  it('takes the place of a sticky one', () => {
    const { center, shown } = setUp()
    center.show(sticky)
    center.show(brief)
    expect(shown()).toBe(brief)
  })

  it('is not ended by the life of the one before', () => {
    const { timers, center, shown } = setUp()
    center.show(brief)
    center.show(sticky)
    timers.advance(3000)
    expect(shown()).toBe(sticky)
  })

  it('is another showing with another key, even with the same text', () => {
    const { timers, center, told } = setUp()
    center.show(brief)
    timers.advance(2000)
    center.show(brief)
    const [first, second] = told
    expect(second?.notification).toBe(first?.notification)
    expect(second?.key).not.toBe(first?.key)
    timers.advance(2999)
    expect(center.current()).toBe(second)
    timers.advance(1)
    expect(center.current()).toBeNull()
  })

  it('is not paused by what held the one before', () => {
    const { timers, center, shown } = setUp()
    center.show(brief)
    center.hold('pointer')
    center.show(brief)
    expect(center.current()?.paused).toBe(false)
    timers.advance(3000)
    expect(shown()).toBeNull()
  })
})

describe('holding a notification', () => {
  it.each(['pointer', 'focus'] as const)('by %s stops its life, and letting go starts it in full', (hold) => {
    const { timers, center, shown } = setUp()
    center.show(brief)
    timers.advance(2999)
    center.hold(hold)
    timers.advance(60_000)
    expect(shown()).toBe(brief)
    center.release(hold)
    timers.advance(2999)
    expect(shown()).toBe(brief)
    timers.advance(1)
    expect(shown()).toBeNull()
  })

  it('by pointer and focus lasts until both let go', () => {
    const { timers, center, shown } = setUp()
    center.show(brief)
    center.hold('pointer')
    center.hold('focus')
    center.release('pointer')
    timers.advance(3000)
    expect(shown()).toBe(brief)
    center.release('focus')
    timers.advance(3000)
    expect(shown()).toBeNull()
  })

  it('tells that it is paused and that it goes on, each once, as the same showing', () => {
    const { center, told } = setUp()
    center.show(brief)
    center.hold('pointer')
    center.hold('pointer')
    center.hold('focus')
    center.release('focus')
    center.release('pointer')
    center.release('pointer')
    expect(told.map((showing) => showing?.paused)).toEqual([false, true, false])
    expect(new Set(told.map((showing) => showing?.key)).size).toBe(1)
  })

  it('does not restart a life that was never held', () => {
    const { timers, center, shown } = setUp()
    center.show(brief)
    timers.advance(2000)
    center.release('pointer')
    timers.advance(1000)
    expect(shown()).toBeNull()
  })

  it('keeps a sticky one sticky', () => {
    const { timers, center, shown } = setUp()
    center.show(sticky)
    center.hold('focus')
    center.release('focus')
    timers.advance(1e9)
    expect(shown()).toBe(sticky)
  })

  it('while it is closed leaves no timer behind', () => {
    const { timers, center } = setUp()
    center.show(brief)
    center.hold('pointer')
    center.close()
    center.release('pointer')
    expect(timers.pending()).toBe(0)
  })
})

it('the current showing is the same object until it changes', () => {
  const { timers, center } = setUp()
  center.show(brief)
  const before = center.current()
  timers.advance(100)
  center.release('focus')
  expect(center.current()).toBe(before)
})

it('a listener that stopped is told nothing more', () => {
  const { center } = setUp()
  const told = vi.fn()
  center.onChange(told)()
  center.show(brief)
  expect(told).not.toHaveBeenCalled()
})

describe('in any schedule', () => {
  type Step =
    | { readonly do: 'show'; readonly life: number | 'sticky' }
    | { readonly do: 'hold' | 'release'; readonly hold: 'pointer' | 'focus' }
    | { readonly do: 'close' }
    | { readonly do: 'wait'; readonly ms: number }

  const hold = fc.constantFrom('pointer' as const, 'focus' as const)
  const anyStep: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('show' as const), life: fc.constantFrom(1, 500, 3000, 'sticky' as const) }),
    fc.record({ do: fc.constantFrom('hold' as const, 'release' as const), hold }),
    fc.record({ do: fc.constant('close' as const) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 499, 500, 2999, 3000) }),
  )

  /** The rules as plain sums: which life is on the screen, and how much of it has run. */
  type Model = { life: Notification['life']; unheld: number; holds: ReadonlySet<string> } | null

  function expected(before: Model, next: Step): Model {
    if (next.do === 'show') return { life: next.life, unheld: 0, holds: new Set() }
    if (next.do === 'close' || before === null) return null
    const { life, unheld, holds } = before
    if (next.do === 'wait') {
      if (holds.size > 0) return before
      const expired = life !== 'sticky' && unheld + next.ms >= life
      return expired ? null : { life, unheld: unheld + next.ms, holds }
    }
    const after = new Set(holds)
    if (next.do === 'hold') after.add(next.hold)
    else after.delete(next.hold)
    return { life, unheld: holds.size > 0 && after.size === 0 ? 0 : unheld, holds: after }
  }

  function run(steps: readonly Step[], afterEach: (center: NotificationCenter, running: number, step: Step) => void) {
    const timers = createFakeTimers()
    const center = createNotificationCenter(timers)
    for (const step of steps) {
      if (step.do === 'show') center.show({ ...brief, life: step.life })
      if (step.do === 'hold') center.hold(step.hold)
      if (step.do === 'release') center.release(step.hold)
      if (step.do === 'close') center.close()
      if (step.do === 'wait') timers.advance(step.ms)
      afterEach(center, timers.pending(), step)
    }
  }

  it('at most one is open, never an expired one, a sticky one until it is closed, and at most one timer runs', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        let model: Model = null
        run(steps, (center, running, step) => {
          model = expected(model, step)
          expect(center.current()?.notification.life ?? null).toBe(model?.life ?? null)
          expect(center.current()?.paused ?? false).toBe((model?.holds.size ?? 0) > 0)
          expect(running).toBe(model && model.holds.size === 0 && model.life !== 'sticky' ? 1 : 0)
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('every showing has a key of its own and keeps it', () => {
    fc.assert(
      fc.property(fc.array(anyStep), (steps) => {
        let last = 0
        run(steps, (center, _, step) => {
          const key = center.current()?.key
          if (step.do === 'show') {
            expect(key).toBeGreaterThan(last)
            last = key ?? last
          } else if (key !== undefined) expect(key).toBe(last)
        })
      }),
    )
  })
})
