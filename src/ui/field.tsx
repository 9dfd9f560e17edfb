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

/** Stands above the field once its placeholder, which says the same, has gone. */
const Label = chakra('label', {
  base: {
    position: 'absolute',
    top: '-1.375rem',
    insetInlineStart: '0.125rem',
    fontSize: '0.8125rem',
    lineHeight: 1.3,
    color: 'muted',
    transition: 'opacity 150ms',
    _motionReduce: { transition: 'none' },
  },
})

const ErrorText = chakra('p', { base: { marginTop: '0.25rem', color: 'error', fontWeight: 600 } })

/** One field of the contact form, with its problem under it and tied to it. */
export function Field({ name, label, error, multiline = false, ...rest }: FieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  const control = {
    id,
    name,
    placeholder: label,
    'aria-invalid': error !== null,
    'aria-describedby': error === null ? undefined : errorId,
    maxLength: MAX_LENGTH[name],
    inputMode: rest.type,
    ...rest,
  }
  return (
    <chakra.div position="relative">
      {multiline ? <Textarea rows={3} height="104px" resize="none" {...control} /> : <Input {...control} />}
      <Label htmlFor={id}>{label}</Label>
      {error !== null && <ErrorText id={errorId}>{error}</ErrorText>}
    </chakra.div>
  )
}
