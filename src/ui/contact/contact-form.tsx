import { Button, chakra, Flex } from '@chakra-ui/react'
import { Fragment, type ReactNode } from 'react'
import { ENQUIRY_FIELDS, type EnquiryField, ERROR_OF_EMPTY, MAX_LENGTH } from '../../domain/enquiry.ts'
import { TEXT } from '../../domain/texts.ts'
import { EMAIL_INPUT } from '../email-input.ts'
import { Icon } from '../icons.tsx'
import { Links } from '../links.tsx'
import { ContactFormResult, USE_ID } from './contact-form-result.tsx'
import { type FieldProps, TextField } from './text-field.tsx'
import { useContactForm } from './use-contact-form.ts'

/** Phones begin a name with a capital letter, and spell checkers ignore it. */
const NAME = { autoCapitalize: 'words', spellCheck: false }

/** Each returns its component. As components of their own, they would lose their texts at each edit in development. */
const FIELDS: Record<EnquiryField, (props: FieldProps) => ReactNode> = {
  first: (props) => <TextField {...props} {...NAME} maxLength={MAX_LENGTH.first} autoComplete="given-name" />,
  last: (props) => <TextField {...props} {...NAME} maxLength={MAX_LENGTH.last} autoComplete="family-name" />,
  email: (props) => <TextField {...props} {...EMAIL_INPUT} wide />,
  message: (props) => <TextField {...props} maxLength={MAX_LENGTH.message} multiline wide />,
}

const Form = chakra('form', {
  base: {
    display: 'grid',
    columnGap: '4',
    rowGap: '2.5',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  },
})

/**
 * The contact form. Its fields are uncontrolled and stay mounted with the dialog, so that closing keeps typed texts.
 */
export function ContactForm() {
  const { state, submit, tryAgain, changed } = useContactForm()
  const idle = state.status === 'idle'
  const error = idle ? state.error : null
  return (
    <Form key={state.formKey} name="contact" noValidate aria-invalid={false} onSubmit={submit} onChange={changed}>
      {ENQUIRY_FIELDS.map((name) => (
        <Fragment key={name}>
          {FIELDS[name]({
            name,
            label: TEXT[name],
            required: ERROR_OF_EMPTY[name] !== null,
            readOnly: !idle,
            error: error?.field === name ? error.text : null,
          })}
        </Fragment>
      ))}
      {/* The result stands beside the button or, on a phone, under it. */}
      <Flex gridColumn="1 / -1" wrap="wrap" align="center" columnGap="4" rowGap="3">
        {/* The button is not `disabled`, so that it keeps the focus. */}
        <Button
          type="submit"
          aria-describedby={TEXT.enquiryUse && USE_ID}
          aria-disabled={!idle}
          data-disabled={idle ? undefined : ''}
        >
          <Icon name="envelope" />
          {TEXT.submit}
        </Button>
        <ContactFormResult state={state} tryAgain={tryAgain} />
      </Flex>
      <Links gridColumn="1 / -1" />
    </Form>
  )
}
