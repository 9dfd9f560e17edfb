import { Button, chakra } from '@chakra-ui/react'
import { type ChangeEvent, type FormEvent, useEffect, useReducer, useRef } from 'react'
import { contactForm, IDLE } from '../domain/contact-form.ts'
import { type Enquiry, type EnquiryField, review } from '../domain/enquiry.ts'
import { ContactFormResult } from './contact-form-result.tsx'
import { Field, type FieldProps } from './field.tsx'
import { EnvelopeIcon } from './icons.tsx'
import { usePorts } from './ports-context.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

const FIELDS: readonly (Pick<FieldProps, 'label' | 'type' | 'autoComplete' | 'multiline'> & { name: EnquiryField })[] =
  [
    { name: 'first', label: 'First Name', autoComplete: 'given-name' },
    { name: 'last', label: 'Last Name', autoComplete: 'family-name' },
    { name: 'email', label: 'Email', type: 'email', autoComplete: 'email' },
    { name: 'message', label: 'Message', multiline: true },
  ]

const Form = chakra('form', {
  base: {
    display: 'grid',
    gap: '1rem',
    gridTemplateColumns: { base: '1fr', sm: '1fr 1fr' },
    '& > :nth-of-type(n + 3)': { gridColumn: '1 / -1' },
  },
})

/** As high as the spinner, so that nothing moves when it comes and goes. */
const Actions = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.75rem 1.25rem', minHeight: '50px' },
})

/** The fields are uncontrolled and stay mounted with the dialog: only a success clears them, at the next opening. */
export function ContactForm() {
  const { backend, contactDialog } = usePorts()
  const [state, dispatch] = useReducer(contactForm, IDLE)
  const { run } = useOneAtATime()
  const form = useRef<HTMLFormElement>(null)
  const result = useRef<HTMLDivElement>(null)

  useEffect(
    () =>
      contactDialog.onChange((open) => {
        if (!open) return
        if (state.status === 'submitted' && state.answer === 'received') form.current?.reset()
        dispatch({ type: 'opened' })
      }),
    [contactDialog, state],
  )

  async function submit(event: FormEvent<HTMLFormElement>) {
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
  }

  function changed({ target }: ChangeEvent<HTMLFormElement>) {
    const field = FIELDS.find(({ name }) => controlOf(target.form, name) === target)
    if (field) dispatch({ type: 'changed', field: field.name })
  }

  const problem = state.status === 'idle' ? state.problem : null
  return (
    <Form ref={form} noValidate onSubmit={submit} onChange={changed}>
      {FIELDS.map((field) => (
        <Field
          key={field.name}
          {...field}
          readOnly={state.status !== 'idle'}
          error={problem?.field === field.name ? problem.text : null}
        />
      ))}
      <Actions>
        <Button type="submit" disabled={state.status !== 'idle'}>
          <EnvelopeIcon />
          Submit
        </Button>
        <ContactFormResult ref={result} state={state} />
      </Actions>
    </Form>
  )
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
