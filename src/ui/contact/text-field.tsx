import { Box, Field, Input, type SystemStyleObject, Textarea } from '@chakra-ui/react'
import { type Field as EnquiryField, FIELDS, type FieldName } from '../../domain/enquiry-fields.ts'
import { FIELD_ID_PREFIX } from '../../element-names.ts'
import { EMAIL_INPUT } from '../forms/email-input.ts'
import { Icon } from '../icons.tsx'

/** The id of a field, or of the element around the inputs of a choice. */
const fieldId = (name: FieldName) => FIELD_ID_PREFIX + name

/** Phones begin a name with a capital letter, and spell checkers ignore it. */
const ATTRIBUTES = { name: { autoCapitalize: 'words', spellCheck: false }, email: EMAIL_INPUT, message: {} }

type TextFieldProps = {
  readonly name: FieldName
  readonly error: string | null
  readonly readOnly: boolean
}

/** Room for the error, so that nothing moves when it comes and goes: a line, and on a small phone two. */
const errorPlace: SystemStyleObject = {
  minH: 'calc(1.25em + 2px)',
  '@media (max-width: 22.4rem)': { minH: 'calc(2.5em + 2px)' },
  pt: '2px',
  fontSize: { base: 'min(0.8125rem, 5.5vw)', sm: 'sm' },
  lineHeight: 1.25,
}

/** A labelled text field of the contact form, described by its error. */
export function TextField({ name, error, readOnly }: TextFieldProps) {
  const { label, kind, autoComplete, errorOfEmpty }: EnquiryField = FIELDS[name]
  const id = fieldId(name)
  const invalid = error !== null
  const errorId = `${id}-error`
  const props = {
    name,
    // For an error Chakra sets aria-errormessage, which not every screen reader reads.
    'aria-describedby': invalid ? errorId : undefined,
    // Set even if it is false: otherwise some browsers call an untouched required field invalid.
    'aria-invalid': invalid,
    placeholder: label,
    autoComplete,
    dir: 'auto',
    ...ATTRIBUTES[kind],
  }
  return (
    <Field.Root
      id={id}
      // A group needs a name, and this element has none.
      role="none"
      invalid={invalid}
      required={errorOfEmpty !== null}
      readOnly={readOnly}
      gap="1"
    >
      <Field.Label>{label}</Field.Label>
      {kind === 'message' ? <Textarea rows={3} h="6.5rem" resize="none" {...props} /> : <Input {...props} />}
      <Box css={errorPlace}>
        {/* The form announces the error. */}
        <Field.ErrorText id={errorId} aria-live="off">
          <Icon name="error" size="1.25em" />
          {error}
        </Field.ErrorText>
      </Box>
    </Field.Root>
  )
}
