type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLButtonElement

/** Finds the new control for a control that React has replaced; undefined if there is none. */
export type ReplacementOf = (old: Element) => Control | undefined

/**
 * Keeps the contents of the controls of a React root, and the focus. If a translation or an extension has changed the
 * HTML, React renders the root again: `restore` then gives contents and focus to the new controls, to each control
 * once.
 */
export function keepControls(root: Element): { readonly restore: () => void; readonly replacementOf: ReplacementOf } {
  const kept = controlsOf(root)
  const replacements = new Map<Element, Control>()
  const focused = document.activeElement
  return {
    restore() {
      const newControls = controlsOf(root)
      for (const [place, old] of kept) {
        const control = newControls.get(place)
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
 * Each control by its form and by its id, or else by its name or its first class. Controls of extensions have others.
 * Of a control and its clone, the one with a text is taken.
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
  // Updates what depends on the text, such as the count of its characters.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

function moveFocus(old: Control, control: Control) {
  control.focus({ preventScroll: true })
  // A field of type email does not tell its selection: its caret then stands at the end.
  if (!('selectionStart' in old && 'selectionStart' in control) || old.selectionStart === null) return
  control.setSelectionRange(old.selectionStart, old.selectionEnd, old.selectionDirection ?? 'none')
}
