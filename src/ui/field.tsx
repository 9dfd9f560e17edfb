import { chakra } from '@chakra-ui/react'
import { type ClipboardEvent, type FormEvent, useCallback, useId, useState } from 'react'
import { charactersLeft, type EnquiryField, isRequired, MAX_LENGTH } from '../domain/enquiry.ts'
import { TEXT } from '../domain/texts.ts'

export type FieldProps = {
  readonly name: EnquiryField
  /** Label and placeholder. */
  readonly label: string
  readonly error: string | null
  readonly readOnly: boolean
  readonly type?: 'email'
  readonly autoComplete?: string
  readonly multiline?: boolean
}

const Above = chakra('div', {
  base: {
    display: 'flex',
    justifyContent: 'space-between',
    marginBottom: '0.375rem',
    fontSize: '0.875rem',
    lineHeight: 1.3,
    color: 'muted',
  },
})

/** Keeps its room, so that nothing moves when a text comes and goes. */
const Note = chakra('p', {
  base: { minHeight: '1.625rem', paddingTop: '0.125rem', lineHeight: 1.3, color: 'error', fontWeight: 700 },
})

/** One field of the contact form, with its problem under it and tied to it. */
export function Field({ name, label, error, multiline = false, ...rest }: FieldProps) {
  const id = useId()
  const [left, setLeft] = useState<number | null>(null)
  const [cut, setCut] = useState(false)
  const note = error ?? (cut ? TEXT.cut : null)
  const control = {
    id,
    name,
    placeholder: label,
    required: isRequired(name),
    dir: 'auto',
    'aria-invalid': error !== null,
    'aria-describedby': note === null ? undefined : `${id}-note`,
    maxLength: MAX_LENGTH[name],
    // It may hold a text from before the app was there.
    ref: useCallback(
      (control: HTMLInputElement | HTMLTextAreaElement | null) =>
        setLeft(control && charactersLeft(name, control.value)),
      [name],
    ),
    inputMode: rest.type,
    onPaste: (event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) => setCut(isCut(event)),
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const next = charactersLeft(name, currentTarget.value)
      setLeft(next)
      if (next !== 0) setCut(false)
    },
    ...rest,
  }
  return (
    <div>
      <Above>
        <label htmlFor={id}>{label}</label>
        {left !== null && <span>{TEXT.charactersLeft(left)}</span>}
      </Above>
      {multiline ? <textarea rows={3} {...control} /> : <input {...control} />}
      <Note id={`${id}-note`} aria-live="polite">
        {note}
      </Note>
    </div>
  )
}

/** Whether a field has less room than what is pasted into it. */
function isCut({ currentTarget, clipboardData }: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>): boolean {
  const { value, selectionStart, selectionEnd, maxLength } = currentTarget
  const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n')
  return value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0)) + pasted.length > maxLength
}
