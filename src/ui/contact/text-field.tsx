import { Box, Field, Flex, Input, Textarea } from '@chakra-ui/react'
import { type ComponentProps, type FormEvent, useEffect, useRef, useState } from 'react'
import { charactersLeft, type EnquiryField } from '../../domain/enquiry.ts'
import { TEXT } from '../../domain/texts.ts'
import { SeverityIcon } from '../icons.tsx'
import { bringIntoView } from '../outcome.tsx'

/** The props that the contact form passes to each of its fields. */
export type FieldProps = {
  readonly name: EnquiryField
  readonly label: string
  readonly required: boolean
  readonly error: string | null
  readonly readOnly: boolean
}

type InputProps = 'maxLength' | 'autoComplete' | 'autoCapitalize' | 'autoCorrect' | 'inputMode' | 'spellCheck'
type TextFieldProps = FieldProps &
  Pick<ComponentProps<'input'>, InputProps> & {
    readonly multiline?: boolean
    /** Whether the field is as wide as the form. */
    readonly wide?: boolean
  }

/** A labelled text field. Its description is its error, or the number of characters that it still takes. */
export function TextField({ name, label, error, multiline, wide, required, readOnly, ...rest }: TextFieldProps) {
  const [remaining, setRemaining] = useState<number | null>(null)
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    // The browser may have restored a text.
    if (control.current) setRemaining(charactersLeft(name, control.current.value))
  }, [name])
  const errorId = `contact-${name}-error`
  const props = {
    ref: control,
    name,
    // Without an error, Chakra lets the count describe the field. For an error Chakra sets aria-errormessage, which not
    // every screen reader reads.
    'aria-describedby': error === null ? undefined : errorId,
    placeholder: label,
    dir: 'auto',
    // Set even if it is false: otherwise some browsers call an untouched required field invalid.
    'aria-invalid': error !== null,
    onInput: ({ currentTarget: { value } }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setRemaining(charactersLeft(name, value)),
    _readOnly: { bg: 'bg.muted', _highContrast: { borderColor: 'GrayText' } },
    ...rest,
  }
  return (
    <Field.Root
      id={`contact-${name}`}
      // A group needs a name, and this element has none.
      role="none"
      invalid={error !== null}
      required={required}
      readOnly={readOnly}
      gridColumn={wide ? '1 / -1' : 'auto'}
      gap="1"
    >
      <Flex w="full" justify="space-between" gap="2">
        <Field.Label>{label}</Field.Label>
        {remaining !== null && <Field.HelperText textStyle="sm">{TEXT.charactersLeft(remaining)}</Field.HelperText>}
      </Flex>
      {multiline ? <Textarea rows={3} h="6.5rem" resize="none" {...props} /> : <Input {...props} />}
      {/* Room for the error, so that nothing moves when it comes and goes. */}
      <Box minH="min(1.4375rem, 9.5vw)" pt="1">
        {/* The form announces the error. */}
        <Field.ErrorText ref={bringIntoView} id={errorId} aria-live="off">
          <SeverityIcon severity="error" />
          {error}
        </Field.ErrorText>
      </Box>
    </Field.Root>
  )
}
