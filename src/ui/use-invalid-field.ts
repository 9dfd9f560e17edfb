import { useState } from 'react'
import { flushSync } from 'react-dom'

/** How visitors learn that a field is invalid: its error is read with the focus, or announced if the focus is there. */
export function useInvalidField() {
  const [announcement, setAnnouncement] = useState('')

  /** Moves the focus to the field. `render` shows the error before, because it is read as the field's description. */
  function reject(field: HTMLElement | null | undefined, error: string, render: () => void) {
    const hasFocus = field === document.activeElement
    // The same text again would count as no change, and not be announced.
    setAnnouncement((last) => (hasFocus ? error + (last === error ? '\u00A0' : '') : ''))
    flushSync(render)
    field?.focus()
  }

  return { announcement, reject }
}
