import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react'
import { charactersLeft, countReached, type EnquiryField } from '../../domain/enquiry.ts'
import type { Cancel } from '../../domain/ports.ts'
import { TEXT } from '../../domain/texts.ts'
import { usePorts } from '../ports-context.ts'

/** How long a visitor types nothing before a count is said. */
const PAUSE_MS = 1000

type Control = HTMLInputElement | HTMLTextAreaElement

/** What a field tells of the most characters that it takes: to be seen, at once, and to be heard. */
export function useLimit(field: EnquiryField) {
  const { timers } = usePorts()
  const [left, setLeft] = useState<number | null>(null)
  /** How often in a row pasted text was cut off. */
  const [cuts, setCuts] = useState(0)
  const [counted, setCounted] = useState('')
  const reached = useRef(Infinity)
  const cancelCount = useRef<Cancel>(() => {})

  function stopCounting() {
    cancelCount.current()
    setCounted('')
  }

  return {
    left,
    truncated: cuts > 0,
    said: { text: cuts > 0 ? TEXT.truncated : counted, cuts },
    onPaste: (event: ClipboardEvent<Control>) => setCuts(isTooLong(event) ? cuts + 1 : 0),
    onInput({ currentTarget: { value, maxLength } }: FormEvent<Control>) {
      const now = charactersLeft(field, value)
      setLeft(now)
      if (value.length < maxLength) setCuts(0)
      stopCounting()
      cancelCount.current = timers.after(PAUSE_MS, () => {
        const before = reached.current
        reached.current = countReached(now)
        if (now !== null && reached.current < before) setCounted(TEXT.charactersLeft(now))
      })
    },
    onBlur: stopCounting,
  }
}

/** Whether a field has less room than what is pasted into it. */
function isTooLong({ currentTarget, clipboardData }: ClipboardEvent<Control>): boolean {
  const { value, selectionStart, selectionEnd, maxLength } = currentTarget
  const pasted = clipboardData.getData('text').replaceAll('\r\n', '\n')
  return value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0)) + pasted.length > maxLength
}
