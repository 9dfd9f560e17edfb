import { Field, Flex, Input, Text, Textarea } from '@chakra-ui/react'
import { type ClipboardEvent, type FormEvent, type HTMLInputTypeAttribute, useState } from 'react'
import { charactersLeft, type EnquiryField } from '../../domain/enquiry.ts'
import { TEXT } from '../../domain/texts.ts'

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

type Control = HTMLInputElement | HTMLTextAreaElement

/** A labelled text field, with its problem under it and tied to it. */
export function TextField({ name, label, error, multiline, wide, required, readOnly, ...rest }: TextFieldProps) {
  const [left, setLeft] = useState<number | null>(null)
  const [truncated, setTruncated] = useState(false)
  const id = `contact-${name}`
  const props = {
    name,
    placeholder: label,
    dir: 'auto',
    'aria-describedby': `${id}-note`,
    onPaste: (event: ClipboardEvent<Control>) => setTruncated(isTruncated(event)),
    onInput({ currentTarget }: FormEvent<Control>) {
      const next = charactersLeft(name, currentTarget.value)
      setLeft(next)
      if (next !== 0) setTruncated(false)
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
        {left !== null && <Text>{TEXT.charactersLeft(left)}</Text>}
      </Flex>
      {multiline ? <Textarea rows={3} {...props} /> : <Input {...props} />}
      <Field.HelperText aria-live="polite">{error ?? (truncated && TEXT.truncated)}</Field.HelperText>
    </Field.Root>
  )
}

/** Whether a field has less room than what is pasted into it. */
function isTruncated({ currentTarget, clipboardData }: ClipboardEvent<Control>): boolean {
  const { value, selectionStart, selectionEnd, maxLength } = currentTarget
  const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n')
  return value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0)) + pasted.length > maxLength
}
