import { type DomainToAscii, mendEmail } from './email.ts'
import type { FormState } from './form-state.ts'
import type { NotificationCenter } from './notifications.ts'
import { createObservable, type Observable } from './observable.ts'
import { type Outcome, SUBSCRIBE_OUTCOMES } from './outcomes.ts'
import type { Backend } from './ports.ts'
import { fieldError } from './validation.ts'

export type SubscribeForm = Observable<FormState> & {
  /** Subscribes the address that a visitor has typed, unless it is invalid or the form is sending already. */
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
    // After thanks the field is empty: a second press is no mistake of the visitor.
    if (typed === '' && before.status === 'answered' && before.outcome.arrived) return

    const email = mendEmail(typed, domainToAscii)
    const error = fieldError('email', email)
    if (error !== null) {
      state.set({ status: 'invalid', error: { field: 'email', text: error } })
      return notifications.show(SUBSCRIBE_OUTCOMES['invalid-email'])
    }

    // The call goes out first. Drawing the wait takes time, in which the call is already under way.
    const call = backend.subscribe(email)
    notifications.close()
    state.set({ status: 'sending' })
    const answer = await call

    const outcome: Outcome | null = SUBSCRIBE_OUTCOMES[answer]
    if (!outcome) return state.set({ status: 'idle' })
    state.set({ status: 'answered', outcome, ...(outcome.arrived && { address: email }) })
    notifications.show(outcome)
  }

  return { current: state.current, onChange: state.onChange, submit }
}
