import { Box, Field, Input, type SystemStyleObject, Textarea } from '@chakra-ui/react'
import { FIELDS, type FieldName } from '../../domain/enquiry-fields.ts'
import { longestError } from '../../domain/validation.ts'
import { FIELD_ID_PREFIX } from '../../element-names.ts'
import { EMAIL_INPUT_PROPS } from '../forms/email-input.ts'
import { Icon } from '../icons.tsx'

const fieldId = (name: FieldName) => FIELD_ID_PREFIX + name

/** The props of an input by its kind. Phones begin a name with a capital letter, and spell checkers ignore a name. */
const PROPS_BY_KIND = {
  name: { autoCapitalize: 'words', spellCheck: false },
  email: EMAIL_INPUT_PROPS,
  message: {},
} as const

type TextFieldProps = {
  readonly name: FieldName
  readonly error: string | null
  readonly readOnly: boolean
}

/** At least three lines. A high screen has room for more. On a low screen, three lines keep Submit in view. */
const MESSAGE_HEIGHT = 'min(6.5rem, max(5.7em, 14.5svh))'

const ERROR_ICON = '1.25em'

/** The longest error is always there, but invisible. It reserves the space, so nothing moves when an error appears. */
const errorPlace: SystemStyleObject = {
  display: 'grid',
  '&::before': { content: 'attr(data-longest)', visibility: 'hidden', ps: `calc(${ERROR_ICON} + {spacing.1})` },
  '& > *, &::before': { gridArea: '1 / 1' },
  pt: '2px',
  fontWeight: 'bold',
  fontSize: { base: 'min(0.8125rem, 5.5vw)', sm: 'sm' },
  lineHeight: 1.25,
}

/** A text field of the contact form, with its label and its error. */
export function TextField({ name, error, readOnly }: TextFieldProps) {
  const { label, kind, autoComplete, errorIfEmpty } = FIELDS[name]
  const id = fieldId(name)
  const invalid = error !== null
  const errorId = `${id}-error`
  const props = {
    name,
    // Not `aria-errormessage`, which some screen readers ignore. With both, others would read the error twice.
    'aria-describedby': invalid ? errorId : undefined,
    // Also set if false. Otherwise some browsers report an untouched required field as invalid.
    'aria-invalid': invalid,
    placeholder: label,
    autoComplete,
    dir: 'auto',
    ...PROPS_BY_KIND[kind],
  }
  return (
    <Field.Root
      id={id}
      // Chakra makes this element a group. A group needs a name, and this element has none.
      role="none"
      invalid={invalid}
      required={errorIfEmpty !== null}
      readOnly={readOnly}
      gap="1"
    >
      <Field.Label>{label}</Field.Label>
      {kind === 'message' ? <Textarea rows={3} h={MESSAGE_HEIGHT} resize="none" {...props} /> : <Input {...props} />}
      <Box css={errorPlace} data-longest={longestError(name)}>
        {/* The form announces the error, so this element must not. */}
        <Field.ErrorText id={errorId} aria-live="off">
          <Icon name="error" size={ERROR_ICON} />
          {error}
        </Field.ErrorText>
      </Box>
    </Field.Root>
  )
}
