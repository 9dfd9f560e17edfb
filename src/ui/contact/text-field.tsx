import { Field, Flex, Input, Text, Textarea, VisuallyHidden } from '@chakra-ui/react'
import type { FormEvent, HTMLInputTypeAttribute } from 'react'
import type { EnquiryField } from '../../domain/enquiry.ts'
import { TEXT } from '../../domain/texts.ts'
import { useDescription } from './use-description.ts'
import { useLimit } from './use-limit.ts'

/** What the contact form says to each of its fields. */
export type FieldProps = {
  readonly name: EnquiryField
  readonly label: string
  readonly required: boolean
  readonly error: string | null
  readonly readOnly: boolean
}

type TextFieldProps = FieldProps & {
  readonly maxLength: number
  readonly type?: HTMLInputTypeAttribute
  readonly autoComplete?: string
  readonly multiline?: boolean
  /** As wide as the form. */
  readonly wide?: boolean
}

/** A labelled text field, with its problem under it and tied to it. */
export function TextField({ name, label, error, multiline, wide, required, readOnly, ...rest }: TextFieldProps) {
  const { left, truncated, said, onPaste, ...limit } = useLimit(name)
  const id = `contact-${name}`
  const note = error ?? (truncated && TEXT.truncated)
  const { describedBy, onFocus, edited, ...description } = useDescription(
    `${note ? `${id}-note` : ''} ${left === null ? '' : `${id}-left`}`.trim(),
  )
  const props = {
    name,
    placeholder: label,
    dir: 'auto',
    'aria-describedby': describedBy,
    // Said even if it is not: otherwise some browsers call an untouched required field invalid.
    'aria-invalid': error !== null,
    onFocus,
    onPaste,
    onInput(event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) {
      edited()
      limit.onInput(event)
    },
    onBlur() {
      description.onBlur()
      limit.onBlur()
    },
    ...rest,
  }
  return (
    <Field.Root
      id={id}
      ids={{ helperText: `${id}-note` }}
      invalid={error !== null}
      required={required}
      readOnly={readOnly}
      gridColumn={wide ? '1 / -1' : 'auto'}
    >
      <Flex justify="space-between" gap="2" textStyle="sm" color="fg.muted">
        <Field.Label>{label}</Field.Label>
        {left !== null && <Text id={`${id}-left`}>{TEXT.charactersLeft(left)}</Text>}
      </Flex>
      {multiline ? <Textarea rows={3} {...props} /> : <Input {...props} />}
      <Field.HelperText>{note}</Field.HelperText>
      {/* A new element each time: of a text that changes, some browsers announce the changed letters. */}
      <VisuallyHidden aria-live="polite">
        {said.text && <span key={`${said.text}${said.cuts}`}>{said.text}</span>}
      </VisuallyHidden>
    </Field.Root>
  )
}
