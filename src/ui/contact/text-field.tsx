import { Box, Field, Input, Textarea } from '@chakra-ui/react'
import type { ComponentProps } from 'react'
import { type EnquiryField, ERROR_OF_EMPTY } from '../../domain/enquiry.ts'
import { TEXT } from '../../domain/texts.ts'
import { Icon } from '../icons.tsx'
import { fieldId } from './use-contact-form.ts'

/** The attributes in which the fields differ. */
export type FieldAttributes = Pick<
  ComponentProps<'input'>,
  'autoComplete' | 'autoCapitalize' | 'autoCorrect' | 'inputMode' | 'spellCheck'
> & { readonly multiline?: boolean }

type TextFieldProps = FieldAttributes & {
  readonly name: EnquiryField
  readonly error: string | null
  readonly readOnly: boolean
}

/** A labelled text field of the contact form, described by its error. */
export function TextField({ name, error, readOnly, multiline, ...attributes }: TextFieldProps) {
  const id = fieldId(name)
  const invalid = error !== null
  const errorId = `${id}-error`
  const props = {
    name,
    // For an error Chakra sets aria-errormessage, which not every screen reader reads.
    'aria-describedby': invalid ? errorId : undefined,
    // Set even if it is false: otherwise some browsers call an untouched required field invalid.
    'aria-invalid': invalid,
    placeholder: TEXT[name],
    dir: 'auto',
    ...attributes,
  }
  return (
    <Field.Root
      id={id}
      // A group needs a name, and this element has none.
      role="none"
      invalid={invalid}
      required={ERROR_OF_EMPTY[name] !== null}
      readOnly={readOnly}
      gap="1"
    >
      <Field.Label>{TEXT[name]}</Field.Label>
      {multiline ? <Textarea rows={3} h="6.5rem" resize="none" {...props} /> : <Input {...props} />}
      {/* Room for the error, so that nothing moves when it comes and goes. */}
      <Box minH="calc(1.25em + 2px)" pt="2px" fontSize={{ base: 'min(0.8125rem, 5.5vw)', sm: 'sm' }} lineHeight={1.25}>
        {/* The form announces the error. */}
        <Field.ErrorText id={errorId} aria-live="off">
          <Icon name="error" size="1.25em" />
          {error}
        </Field.ErrorText>
      </Box>
    </Field.Root>
  )
}
