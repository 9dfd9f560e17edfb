import { type ChangeEvent, type FormEvent, useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { contactForm, IDLE } from '../../domain/contact-form.ts'
import { ENQUIRY_FIELDS, mapFields, validateEnquiry } from '../../domain/enquiry.ts'
import type { Cancel } from '../../domain/ports.ts'
import { VALIDATION_TEXT } from '../../domain/texts.ts'
import { usePorts } from '../ports-context.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'

/** Screen readers in another process read a description twice that changes while the focus comes. */
const FOCUS_DELAY_MS = 100

export function useContactForm() {
  const { backend, contactDialog, timers } = usePorts()
  const [state, dispatch] = useReducer(contactForm, IDLE)
  const { run } = useOneAtATime()
  const [saidError, say] = useState({ text: '', press: 0 })
  const cancelFocus = useRef<Cancel>(() => {})

  useEffect(
    () =>
      contactDialog.onChange((open) => {
        cancelFocus.current()
        // Now, so that the field that gets the focus is one of the new form.
        if (open) flushSync(() => dispatch({ type: 'reset' }))
      }),
    [contactDialog],
  )

  return {
    state,
    /** What a live region says of the error: only where the focus is at its field already, and reads no description. */
    saidError,
    async submit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      if (state.status !== 'idle') return
      cancelFocus.current()
      const { currentTarget: form } = event
      const data = new FormData(form)
      const { enquiry, error } = validateEnquiry(mapFields((name) => String(data.get(name) ?? '')))
      if (error) {
        const control = form.elements.namedItem(error.field)
        const { activeElement, body } = document
        const inField = control === activeElement
        dispatch({ type: 'rejected', error })
        say(({ press }) => ({ text: inField ? VALIDATION_TEXT[error.code] : '', press: press + 1 }))
        if (inField || !(control instanceof HTMLElement)) return
        cancelFocus.current = timers.after(FOCUS_DELAY_MS, () => {
          // Unless the visitor has gone on to something else.
          if ([activeElement, body].includes(document.activeElement)) control.focus()
        })
        return
      }
      await run(async () => {
        dispatch({ type: 'sent' })
        dispatch({ type: 'answered', answer: await backend.sendEnquiry(enquiry) })
      })
    },
    changed({ target }: ChangeEvent<HTMLFormElement>) {
      cancelFocus.current()
      const field = ENQUIRY_FIELDS.find((name) => name === target.name)
      if (field) dispatch({ type: 'changed', field })
    },
  }
}
