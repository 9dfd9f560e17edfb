import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'
import { createFakeTimers } from '../support/fake-timers.ts'

const brief: Notification = { severity: 'success', summary: 'Brief', detail: 'd', life: 3000, closable: false }

type Step =
  | { readonly do: 'show'; readonly notification: Notification }
  | { readonly do: 'pause' | 'resume'; readonly reason: 'pointer' | 'focus' }
  | { readonly do: 'close' }
  | { readonly do: 'wait'; readonly ms: number }

const notification = fc.constantFrom<Notification>(...[1, 500, 3000].map((life) => ({ ...brief, life })), {
  ...brief,
  life: 'sticky',
  closable: true,
})
const reason = fc.constantFrom('pointer' as const, 'focus' as const)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('show' as const), notification }),
  fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), reason }),
  fc.record({ do: fc.constant('close' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 499, 500, 2999, 3000) }),
)

/** The rules as plain sums: which showing is on the screen, and how much of its life has run. */
type Model = { key: number; life: Notification['life']; ran: number; reasons: ReadonlySet<string> } | null

function expected(before: Model, next: Step, key: number): Model {
  if (next.do === 'show') return { key, life: next.notification.life, ran: 0, reasons: new Set() }
  if (next.do === 'close' || before === null) return null
  const { life, ran, reasons } = before
  if (next.do === 'wait') {
    if (reasons.size > 0) return before
    const expired = life !== 'sticky' && ran + next.ms >= life
    return expired ? null : { ...before, ran: ran + next.ms }
  }
  const after = new Set(reasons)
  if (next.do === 'pause') after.add(next.reason)
  else after.delete(next.reason)
  return { ...before, ran: reasons.size > 0 && after.size === 0 ? 0 : ran, reasons: after }
}

/** What is seen of it. */
const seen = (model: Model) => model && { key: model.key, life: model.life, paused: model.reasons.size > 0 }

it('in any schedule one at most is open, by a key of its own, never an expired one, and each change is told once', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const timers = createFakeTimers()
      const center = createNotificationCenter(timers)
      const told: unknown[] = []
      center.onChange((active) => told.push(active))
      let model: Model = null
      let shown = 0
      for (const step of steps) {
        const before = seen(model)
        if (step.do === 'show') center.show(step.notification)
        if (step.do === 'pause') center.pause(step.reason)
        if (step.do === 'resume') center.resume(step.reason)
        if (step.do === 'close') center.close()
        if (step.do === 'wait') timers.advance(step.ms)
        if (step.do === 'show') shown += 1
        model = expected(model, step, shown)
        const active = center.current()
        expect(active && { key: active.key, life: active.notification.life, paused: active.paused }).toEqual(
          seen(model),
        )
        expect(told.splice(0)).toEqual(isDeepStrictEqual(before, seen(model)) ? [] : [active])
        expect(timers.pending()).toBe(model && model.reasons.size === 0 && model.life !== 'sticky' ? 1 : 0)
      }
    }),
    { numRuns: 1000 },
  )
})
