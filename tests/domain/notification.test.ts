import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ActiveNotification,
  createNotificationCenter,
  DEFAULT_LIFE_MS,
  type Notification,
  type NotificationCenter,
} from '../../src/domain/notification.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

const brief: Notification = { severity: 'success', summary: 'Brief', detail: 'd', life: 3000, closable: false }

function setUp() {
  const timers = createFakeTimers()
  const center = createNotificationCenter(timers)
  const told: (ActiveNotification | null)[] = []
  center.onChange((showing) => told.push(showing))
  const shown = () => center.current()?.notification ?? null
  return { timers, center, told, shown }
}

it('a life lasts 3000 ms, if nothing else is said', () => {
  expect(DEFAULT_LIFE_MS).toBe(3000)
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

  it('closes without a word when there is none', () => {
    const { center, told } = setUp()
    center.close()
    expect(told).toEqual([])
  })
})

it('holding a notification tells that it is paused and that it goes on, each once', () => {
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

it('the current showing is the same object until it changes', () => {
  const { timers, center } = setUp()
  center.show(brief)
  const before = center.current()
  timers.advance(100)
  center.release('focus')
  expect(center.current()).toBe(before)
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
