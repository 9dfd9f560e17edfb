import { Box, Field, Input, type SystemStyleObject, Textarea } from '@chakra-ui/react'
import { type Field as EnquiryField, FIELDS, type FieldName } from '../../domain/enquiry-fields.ts'
import { longestError } from '../../domain/validation.ts'
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

const ERROR_ICON = '1.25em'

/** Room for the longest error, which stands there unseen: nothing moves when an error comes and goes. */
const errorPlace: SystemStyleObject = {
  display: 'grid',
  '&::before': { content: 'attr(data-longest)', visibility: 'hidden', ps: `calc(${ERROR_ICON} + {spacing.1})` },
  '& > *, &::before': { gridArea: '1 / 1' },
  pt: '2px',
  fontWeight: 'bold',
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
      <Box css={errorPlace} data-longest={longestError(name)}>
        {/* The form announces the error. */}
        <Field.ErrorText id={errorId} aria-live="off">
          <Icon name="error" size={ERROR_ICON} />
          {error}
        </Field.ErrorText>
      </Box>
    </Field.Root>
  )
}
