// Translations and extensions change the document. If React can't take over the changed HTML, it renders the page anew.
import type { ContactDialog } from '../domain/contact-dialog.ts'

/** The forms of this name, in the order of the page: a form may stand there more than once. */
const formsNamed = (name: string | null) => [...document.forms].filter((form) => form.getAttribute('name') === name)

/** Remembers a form. The returned function finds the form again, or the form that React has rendered in its place. */
export function rememberForm(form: HTMLFormElement): () => HTMLFormElement | undefined {
  const name = form.getAttribute('name')
  const place = formsNamed(name).indexOf(form)
  return () => (form.isConnected ? form : formsNamed(name)[place])
}

/** The same for a field. React gives some fields another id when it renders anew, but the same name in their form. */
function rememberField({ id, name, form }: HTMLInputElement): () => HTMLElement | null | undefined {
  const findForm = form ? rememberForm(form) : () => undefined
  return () =>
    document.getElementById(id) ??
    findForm()?.querySelector<HTMLElement>(`:is(input, select, textarea)[name="${CSS.escape(name)}"]`)
}

/**
 * Remembers what visitors have typed and opened before React starts. The returned function gives it back where React has
 * replaced their elements: texts, choices and the focus to the same fields, and the dialog is open again.
 */
export function rememberUse(contactDialog: ContactDialog): () => void {
  // Of these only an input can be checked.
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[id], select[id], textarea[id]')]
  const remembered = fields.map((field) => ({ field, find: rememberField(field) }))
  const { activeElement } = document
  return () => {
    contactDialog.set(contactDialog.current())
    for (const { field, find } of remembered) {
      const newField = field.isConnected ? null : find()
      if (!newField) continue
      const { value, checked } = field
      Object.assign(newField, value && { value }, checked && { checked })
      if (field === activeElement) newField.focus({ preventScroll: true })
    }
  }
}

/** Lets React remove or insert a node although its neighbour was wrapped, moved or removed: otherwise React throws. */
export function tolerateForeignNodes(): void {
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
