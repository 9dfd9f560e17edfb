import { type ChangeEvent, type FormEvent, type RefObject, useReducer, useRef } from 'react'
import { type ContactFormState, contactForm, IDLE } from '../domain/contact-form.ts'
import { ENQUIRY_FIELDS, type Enquiry, type EnquiryField, review } from '../domain/enquiry.ts'
import { usePorts } from './ports-context.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

export type ContactFormHandle = {
  readonly state: ContactFormState
  readonly form: RefObject<HTMLFormElement | null>
  /** Takes the focus of the button that a submit disables. */
  readonly result: RefObject<HTMLDivElement | null>
  submit(event: FormEvent<HTMLFormElement>): Promise<void>
  changed(event: ChangeEvent<HTMLFormElement>): void
  /** Ready for the next opening: without the last one's end and, after a success, without its text. */
  renew(): void
}

/** The fields are uncontrolled and stay mounted with the dialog, so what is typed outlives a close. */
export function useContactForm(): ContactFormHandle {
  const { backend } = usePorts()
  const [state, dispatch] = useReducer(contactForm, IDLE)
  const { run } = useOneAtATime()
  const form = useRef<HTMLFormElement>(null)
  const result = useRef<HTMLDivElement>(null)

  return {
    state,
    form,
    result,
    async submit(event) {
      event.preventDefault()
      if (state.status !== 'idle') return
      const { enquiry, problem } = review(typedIn(event.currentTarget))
      if (problem) {
        dispatch({ type: 'refused', problem })
        controlOf(event.currentTarget, problem.field)?.focus()
        return
      }
      await run(async () => {
        dispatch({ type: 'sent' })
        result.current?.focus()
        dispatch({ type: 'answered', answer: await backend.sendEnquiry(enquiry) })
      })
    },
    changed({ target }) {
      const field = ENQUIRY_FIELDS.find((name) => name === target.name)
      if (field) dispatch({ type: 'changed', field })
    },
    renew() {
      if (state.status === 'submitted' && state.answer === 'received') form.current?.reset()
      dispatch({ type: 'renewed' })
    },
  }
}

function typedIn(form: HTMLFormElement): Enquiry {
  const data = new FormData(form)
  const text = (name: EnquiryField) => String(data.get(name) ?? '')
  return { first: text('first'), last: text('last'), email: text('email'), message: text('message') }
}

function controlOf(form: HTMLFormElement, name: EnquiryField): HTMLElement | null {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLElement ? control : null
}
