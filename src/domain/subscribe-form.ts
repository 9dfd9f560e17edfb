import { cleanEmail, type DomainToAscii } from './email.ts'
import type { FormState } from './form-state.ts'
import type { NotificationCenter } from './notifications.ts'
import { createObservable, type Observable } from './observable.ts'
import { type Outcome, SUBSCRIBE_OUTCOMES } from './outcomes.ts'
import type { Backend } from './ports.ts'
import { fieldError } from './validation.ts'

export type SubscribeForm = Observable<FormState> & {
  /** Subscribes the typed address if it is valid. Does nothing while an earlier call runs. */
  submit(typed: string): Promise<void>
}

export function createSubscribeForm(
  backend: Backend,
  domainToAscii: DomainToAscii,
  notifications: NotificationCenter,
): SubscribeForm {
  const state = createObservable<FormState>({ status: 'idle' })

  async function submit(typed: string) {
    const before = state.current()
    if (before.status === 'sending') return
    // After a success the field is emptied. An impatient second press must not turn the thanks into 'Invalid email'.
    if (typed === '' && before.status === 'answered' && before.outcome.accepted) return

    const email = cleanEmail(typed, domainToAscii)
    const error = fieldError('email', email)
    if (error !== null) {
      state.set({ status: 'invalid', error: { field: 'email', text: error } })
      return notifications.show(SUBSCRIBE_OUTCOMES['invalid-email'])
    }

    // Start the call before the state changes: then the browser sends it while the page draws the new state.
    const call = backend.subscribe(email)
    notifications.close()
    state.set({ status: 'sending' })
    const answer = await call

    const outcome: Outcome | null = SUBSCRIBE_OUTCOMES[answer]
    if (!outcome) return state.set({ status: 'idle' })
    state.set({ status: 'answered', outcome, ...(outcome.accepted && { address: email }) })
    notifications.show(outcome)
  }

  return { current: state.current, onChange: state.onChange, submit }
}
