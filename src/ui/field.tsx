import { chakra } from '@chakra-ui/react'
import { useId } from 'react'
import { type EnquiryField, MAX_LENGTH } from '../domain/enquiry.ts'
import { Input, Textarea } from './inputs.ts'

export type FieldProps = {
  readonly name: EnquiryField
  /** Placeholder, and name for assistive technology. */
  readonly label: string
  readonly error: string | null
  readonly readOnly: boolean
  readonly type?: 'email'
  readonly autoComplete?: string
  readonly multiline?: boolean
}

const ErrorText = chakra('p', { base: { marginTop: '0.25rem', color: 'error', fontWeight: 600 } })

/** One field of the contact form, with its problem under it and tied to it. */
export function Field({ name, label, error, multiline = false, ...rest }: FieldProps) {
  const errorId = useId()
  const control = {
    name,
    placeholder: label,
    'aria-label': label,
    'aria-invalid': error !== null,
    'aria-describedby': error === null ? undefined : errorId,
    maxLength: MAX_LENGTH[name],
    ...rest,
  }
  return (
    <div>
      {multiline ? <Textarea rows={3} height="104px" resize="none" {...control} /> : <Input {...control} />}
      {error !== null && <ErrorText id={errorId}>{error}</ErrorText>}
    </div>
  )
}
