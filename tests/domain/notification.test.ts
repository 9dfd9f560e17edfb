import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

const brief: Notification = { severity: 'success', summary: 'Brief', detail: 'd', life: 3000, closable: false }

it('what changes is told once, and the current showing is the same object until it changes', () => {
  const timers = createFakeTimers()
  const center = createNotificationCenter(timers)
  const told: (boolean | undefined)[] = []
  center.onChange((showing) => told.push(showing?.paused))
  center.close()
  center.show(brief)
  const before = center.current()
  center.release('focus')
  timers.advance(100)
  expect(center.current()).toBe(before)
  center.hold('pointer')
  center.hold('pointer')
  center.hold('focus')
  center.release('focus')
  center.release('pointer')
  center.release('pointer')
  timers.advance(3000)
  expect(told).toEqual([false, true, false, undefined])
})

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

/** The rules as plain sums: which showing is on the screen, and how much of its life has run. */
type Model = { key: number; life: Notification['life']; unheld: number; holds: ReadonlySet<string> } | null

function expected(before: Model, next: Step, key: number): Model {
  if (next.do === 'show') return { key, life: next.life, unheld: 0, holds: new Set() }
  if (next.do === 'close' || before === null) return null
  const { life, unheld, holds } = before
  if (next.do === 'wait') {
    if (holds.size > 0) return before
    const expired = life !== 'sticky' && unheld + next.ms >= life
    return expired ? null : { ...before, unheld: unheld + next.ms }
  }
  const after = new Set(holds)
  if (next.do === 'hold') after.add(next.hold)
  else after.delete(next.hold)
  return { ...before, unheld: holds.size > 0 && after.size === 0 ? 0 : unheld, holds: after }
}

it('in any schedule one at most is open, by a key of its own, never an expired one, and one timer at most runs', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const timers = createFakeTimers()
      const center = createNotificationCenter(timers)
      let model: Model = null
      let shown = 0
      for (const step of steps) {
        if (step.do === 'show') center.show({ ...brief, life: step.life })
        if (step.do === 'hold') center.hold(step.hold)
        if (step.do === 'release') center.release(step.hold)
        if (step.do === 'close') center.close()
        if (step.do === 'wait') timers.advance(step.ms)
        if (step.do === 'show') shown += 1
        model = expected(model, step, shown)
        const { key, notification, paused = false } = center.current() ?? {}
        expect([key, notification?.life, paused]).toEqual([model?.key, model?.life, (model?.holds.size ?? 0) > 0])
        expect(timers.pending()).toBe(model && model.holds.size === 0 && model.life !== 'sticky' ? 1 : 0)
      }
    }),
    { numRuns: 1000 },
  )
})
