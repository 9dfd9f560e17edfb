import { chakra } from '@chakra-ui/react'
import { WORDS } from '../domain/brand.ts'
import type { EnquiryField } from '../domain/enquiry.ts'
import { Button } from './button.ts'
import { ContactFormResult } from './contact-form-result.tsx'
import { Field, type FieldProps } from './field.tsx'
import { EnvelopeIcon } from './icons.tsx'
import type { ContactFormHandle } from './use-contact-form.ts'

const FIELDS: readonly (Pick<FieldProps, 'label' | 'type' | 'autoComplete' | 'multiline'> & { name: EnquiryField })[] =
  [
    { name: 'first', label: WORDS.first, autoComplete: 'given-name' },
    { name: 'last', label: WORDS.last, autoComplete: 'family-name' },
    { name: 'email', label: WORDS.email, type: 'email', autoComplete: 'email' },
    { name: 'message', label: WORDS.message, multiline: true },
  ]

const Form = chakra('form', {
  base: {
    display: 'grid',
    gap: '0 1rem',
    gridTemplateColumns: { base: '1fr', sm: '1fr 1fr' },
    '& > :nth-of-type(n + 3)': { gridColumn: '1 / -1' },
  },
})

/** As high as the spinner, so that nothing moves when it comes and goes. */
const Actions = chakra('div', {
  base: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '0.75rem 1.25rem', minHeight: '50px' },
})

export function ContactForm({ state, form, result, submit, changed }: Omit<ContactFormHandle, 'renew'>) {
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
          {WORDS.submit}
        </Button>
        <ContactFormResult ref={result} state={state} />
      </Actions>
    </Form>
  )
}
