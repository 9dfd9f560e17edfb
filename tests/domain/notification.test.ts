import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserTimers } from '../../src/adapters/browser.ts'
import { createNotificationCenter, type Notification } from '../../src/domain/notification.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

type Life = Notification['life']
type Step =
  | { readonly do: 'show'; readonly life: Life }
  | { readonly do: 'pause' | 'resume'; readonly reason: 'pointer' | 'focus' }
  | { readonly do: 'close' }
  | { readonly do: 'wait'; readonly ms: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('show' as const), life: fc.constantFrom<Life>(1, 500, 3000, 'sticky') }),
  fc.record({ do: fc.constantFrom('pause', 'resume'), reason: fc.constantFrom('pointer', 'focus') }),
  fc.record({ do: fc.constant('close' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 1, 499, 500, 2999, 3000) }),
)

/** The rules as plain sums: which showing is open, and how much of its life has run. */
type Model = { key: number; life: Life; ran: number; reasons: readonly string[] } | null

function expected(before: Model, next: Step, key: number): Model {
  if (next.do === 'show') return { key, life: next.life, ran: 0, reasons: [] }
  if (next.do === 'close' || before === null) return null
  const { life, ran, reasons } = before
  if (next.do === 'wait') {
    if (reasons.length > 0) return before
    const expired = life !== 'sticky' && ran + next.ms >= life
    return expired ? null : { ...before, ran: ran + next.ms }
  }
  const others = reasons.filter((reason) => reason !== next.reason)
  const after = next.do === 'pause' ? [...others, next.reason] : others
  return { ...before, ran: reasons.length > 0 && after.length === 0 ? 0 : ran, reasons: after }
}

const seen = (model: Model) => model && { key: model.key, life: model.life, paused: model.reasons.length > 0 }

it('in any schedule one at most is open, by a key of its own, never an expired one, and each change is told once', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      vi.clearAllTimers()
      const center = createNotificationCenter(browserTimers)
      const told: unknown[] = []
      center.onChange((active) => told.push(active))
      let model: Model = null
      let shown = 0
      for (const step of steps) {
        const before = seen(model)
        if (step.do === 'show') shown += 1
        if (step.do === 'show')
          center.show({ severity: 'info', summary: 's', detail: 'd', life: step.life, closable: true })
        if (step.do === 'pause') center.pause(step.reason)
        if (step.do === 'resume') center.resume(step.reason)
        if (step.do === 'close') center.close()
        if (step.do === 'wait') vi.advanceTimersByTime(step.ms)
        model = expected(model, step, shown)
        const active = center.current()
        const { key, notification, paused } = active ?? {}
        expect(active && { key, life: notification?.life, paused }).toEqual(seen(model))
        expect(told.splice(0)).toEqual(isDeepStrictEqual(before, seen(model)) ? [] : [active])
      }
    }),
    { numRuns: 1000 },
  )
})
