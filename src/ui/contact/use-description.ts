import { useState } from 'react'

/**
 * Which elements describe a field: `ids`, but while it has the focus those of the moment when the focus came. Some screen
 * readers say each change of a description there, beside the live region that says it.
 */
export function useDescription(ids: string) {
  const [atFocus, setAtFocus] = useState<string | null>(null)
  return {
    describedBy: atFocus ?? ids,
    onFocus: () => setAtFocus(ids),
    onBlur: () => setAtFocus(null),
    /** What it read is out of date. A browser may also fill in a field that does not have the focus. */
    edited: () => setAtFocus((before) => (before === null ? null : '')),
  }
}
