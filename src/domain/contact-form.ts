import type { ContactDialog } from './contact-dialog.ts'
import type { DomainToAscii } from './email.ts'
import type { Enquiry } from './enquiry-fields.ts'
import type { FormState } from './form-state.ts'
import type { NotificationCenter } from './notifications.ts'
import { createObservable, type Observable } from './observable.ts'
import { ENQUIRY_OUTCOMES } from './outcomes.ts'
import type { Backend } from './ports.ts'
import { validateEnquiry } from './validation.ts'

export type ContactForm = Observable<FormState> & {
  /**
   * Sends the typed enquiry if it is valid. Each opening of the dialog allows only one enquiry: after it, `submit` does
   * nothing until the dialog opens again.
   */
  submit(typed: Enquiry): Promise<void>
  /** Closes the dialog, opens it again and submits, because each opening allows only one enquiry. */
  tryAgain(typed: Enquiry): Promise<void>
}

export function createContactForm(
  backend: Backend,
  domainToAscii: DomainToAscii,
  contactDialog: ContactDialog,
  notifications: NotificationCenter,
): ContactForm {
  const state = createObservable<FormState>({ status: 'idle' })

  // When the dialog opens again, the last outcome disappears. If a call still runs, the form stays 'sending'.
  contactDialog.onChange((open) => {
    if (open && state.current().status === 'answered') state.set({ status: 'idle' })
  })

  async function submit(typed: Enquiry) {
    const { status } = state.current()
    if (status === 'sending' || status === 'answered') return

    const { enquiry, error } = validateEnquiry(typed, domainToAscii)
    if (error) {
      // A form that was submitted before the app ran may be in a closed dialog by now, where nobody sees the error.
      if (!contactDialog.current()) return notifications.show(ENQUIRY_OUTCOMES.failed)
      return state.set({ status: 'invalid', error })
    }

    const call = backend.sendEnquiry(enquiry)
    notifications.close()
    state.set({ status: 'sending' })
    const answer = await call

    const outcome = ENQUIRY_OUTCOMES[answer]
    state.set({ status: 'answered', outcome })
    if (!contactDialog.current()) notifications.show(outcome)
  }

  function tryAgain(typed: Enquiry) {
    // The dialog closes and opens in one tick. What follows a change of the dialog comes later, and has to look again: a
    // notification that waits keeps waiting, and the focus, which is on Submit by then, stays there.
    contactDialog.set(false)
    contactDialog.set(true)
    return submit(typed)
  }

  return { current: state.current, onChange: state.onChange, submit, tryAgain }
}
