import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react'
import { charactersLeft, countReached, type EnquiryField } from '../../domain/enquiry.ts'
import { TEXT } from '../../domain/texts.ts'
import { usePorts } from '../ports-context.ts'

/** How long a visitor types nothing before a count is said. */
const PAUSE_MS = 1000

type Control = HTMLInputElement | HTMLTextAreaElement

/** What a field tells of the most characters that it takes: to be seen, at once, and to be heard. */
export function useLimit(field: EnquiryField) {
  const { timers } = usePorts()
  const [left, setLeft] = useState<number | null>(null)
  const [truncated, setTruncated] = useState(false)
  const [counted, setCounted] = useState('')
  const reached = useRef(Infinity)

  useEffect(() => {
    const before = reached.current
    const next = countReached(left)
    if (next === before) return
    return timers.after(PAUSE_MS, () => {
      reached.current = next
      if (left !== null && next < before) setCounted(TEXT.charactersLeft(left))
    })
  }, [timers, left])

  return {
    left,
    truncated,
    said: truncated ? TEXT.truncated : counted,
    onPaste: (event: ClipboardEvent<Control>) => setTruncated(isTooLong(event)),
    onInput({ currentTarget: { value, maxLength } }: FormEvent<Control>) {
      setLeft(charactersLeft(field, value))
      setCounted('')
      if (value.length < maxLength) setTruncated(false)
    },
  }
}

/** Whether a field has less room than what is pasted into it. */
function isTooLong({ currentTarget, clipboardData }: ClipboardEvent<Control>): boolean {
  const { value, selectionStart, selectionEnd, maxLength } = currentTarget
  const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n')
  return value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0)) + pasted.length > maxLength
}
