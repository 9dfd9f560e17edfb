type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement

/** The control that stands in the place of one that React has replaced; undefined if there is none. */
export type ReplacementOf = (old: Element) => Control | undefined

/**
 * Keeps what stands in the controls of a React root, and the focus. Where a translation or an extension has changed the
 * HTML, React renders the root anew: `restore` then gives all of that to the new controls, each once.
 */
export function keepControls(root: Element): { readonly restore: () => void; readonly replacementOf: ReplacementOf } {
  const kept = controlsOf(root)
  const replacements = new Map<Element, Control>()
  const focused = document.activeElement
  return {
    restore() {
      const now = controlsOf(root)
      for (const [place, old] of kept) {
        const control = now.get(place)
        if (!control || old.isConnected || replacements.has(old)) continue
        replacements.set(old, control)
        if (!(control instanceof HTMLButtonElement)) copyContent(old, control)
        if (old === focused) moveFocus(old, control)
      }
    },
    replacementOf: (old) => replacements.get(old),
  }
}

/**
 * Each control by its form and by its id, else its name or its first class, which no foreign control has. Where a clone
 * has the same, the control that holds a text is meant.
 */
function controlsOf(root: Element): Map<string, Control> {
  const controls = new Map<string, Control>()
  for (const control of root.querySelectorAll<Control>('input, textarea, select, button')) {
    const { form, localName, id, name, classList } = control
    const place = [form?.getAttribute('name'), localName, id || name || classList[0]].join()
    if (!controls.get(place)?.value) controls.set(place, control)
  }
  return controls
}

function copyContent(old: Control, control: Control) {
  control.value = old.value
  if ('checked' in old && 'checked' in control) control.checked = old.checked
  // What depends on the text, such as the count of its characters, follows.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

function moveFocus(old: Control, control: Control) {
  control.focus({ preventScroll: true })
  // A field of type email tells no selection: its caret then stands at the end.
  if (!('selectionStart' in old && 'selectionStart' in control) || old.selectionStart === null) return
  control.setSelectionRange(old.selectionStart, old.selectionEnd, old.selectionDirection ?? 'none')
}
