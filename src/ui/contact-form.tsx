import { chakra } from '@chakra-ui/react'
import { ENQUIRY_FIELDS, type EnquiryField } from '../domain/enquiry.ts'
import { TEXT, VALIDATION_TEXT } from '../domain/texts.ts'
import { Button } from './button.ts'
import { ContactFormResult } from './contact-form-result.tsx'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icons.tsx'
import type { ContactFormHandle } from './use-contact-form.ts'

const FIELDS: Record<EnquiryField, Pick<FieldProps, 'type' | 'autoComplete' | 'multiline'>> = {
  first: { autoComplete: 'given-name' },
  last: { autoComplete: 'family-name' },
  email: { type: 'email', autoComplete: 'email' },
  message: { multiline: true },
}

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

export function ContactForm({ state, form, result, submit, changed }: Omit<ContactFormHandle, 'reset'>) {
  const error = state.status === 'idle' ? state.error : null
  return (
    <Form ref={form} noValidate onSubmit={submit} onChange={changed}>
      {ENQUIRY_FIELDS.map((name) => (
        <Field
          key={name}
          name={name}
          label={TEXT[name]}
          {...FIELDS[name]}
          readOnly={state.status !== 'idle'}
          error={error?.field === name ? VALIDATION_TEXT[error.code] : null}
        />
      ))}
      <Actions>
        <Button type="submit" disabled={state.status !== 'idle'}>
          <Icon name="envelope" />
          {TEXT.submit}
        </Button>
        <ContactFormResult ref={result} state={state} />
      </Actions>
    </Form>
  )
}
