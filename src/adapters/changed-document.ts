// Translations, extensions and proxies change the document. If React finds other HTML than it expects, it replaces all
// elements by new ones. This file then restores what visitors have typed, opened and focused.
import type { ContactDialog } from '../domain/contact-dialog.ts'

/** All forms with this name, in the order of the page. The form to subscribe may be on the page several times. */
const formsNamed = (name: string | null) => [...document.forms].filter((form) => form.getAttribute('name') === name)

/** Remembers a form. The returned function finds this form, or the new form by which React has replaced it. */
export function rememberForm(form: HTMLFormElement): () => HTMLFormElement | undefined {
  const name = form.getAttribute('name')
  const place = formsNamed(name).indexOf(form)
  return () => (form.isConnected ? form : formsNamed(name)[place])
}

/** Does the same for a field. A new field may have another id, but in its form it has the same name. */
function rememberField({ id, name, form }: HTMLInputElement): () => HTMLElement | null | undefined {
  const findForm = form ? rememberForm(form) : () => undefined
  return () =>
    document.getElementById(id) ??
    findForm()?.querySelector<HTMLElement>(`:is(input, select, textarea)[name="${CSS.escape(name)}"]`)
}

/**
 * Remembers the texts, the choices and the focus before React starts. The returned function restores them in the fields
 * that React has replaced, and opens the dialog again if it was open.
 */
export function rememberVisitorState(contactDialog: ContactDialog): () => void {
  // The type says input, because the code reads `checked`. Selects and text areas have no `checked`: it is undefined.
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[id], select[id], textarea[id]')]
  const remembered = fields.map((field) => ({ field, find: rememberField(field) }))
  const { activeElement } = document
  return () => {
    openAgain(contactDialog)
    for (const { field, find } of remembered) {
      const newField = field.isConnected ? null : find()
      if (!newField) continue
      const { value, checked } = field
      Object.assign(newField, value && { value }, checked && { checked })
      if (field === activeElement) newField.focus({ preventScroll: true })
    }
  }
}

/** If React has replaced the open `<dialog>` by a new one, which is closed, opens the new one. */
const openAgain = (dialog: ContactDialog) => dialog.current() && dialog.set(true)

/** Lets React insert and remove nodes although extensions have wrapped or moved their neighbours. React would throw. */
export function tolerateMovedNodes(): void {
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.insertBefore = function (node, referenceNode) {
    let sibling: Node | null = referenceNode
    while (sibling && sibling.parentNode !== this) sibling = sibling.parentNode
    return insertBefore.call(this, node, sibling) as typeof node
  }
  Node.prototype.removeChild = (child) => {
    if (child.parentNode) removeChild.call(child.parentNode, child)
    return child
  }
}
