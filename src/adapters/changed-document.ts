// Translations and extensions change the document. If React can't take over the changed HTML, it renders the page anew.
import type { ContactDialog } from '../domain/contact-dialog.ts'

/**
 * Remembers what visitors have typed and opened before React starts. The returned function gives it back where React has
 * replaced their elements: texts, choices and the focus to the fields of the same id, and the dialog is open again.
 */
export function rememberUse(contactDialog: ContactDialog): () => void {
  // Of these only an input can be checked.
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[id], select[id], textarea[id]')]
  const { activeElement } = document
  return () => {
    contactDialog.set(contactDialog.current())
    for (const { id, value, checked, isConnected } of fields) {
      const newField = document.getElementById(id)
      if (isConnected || !newField) continue
      Object.assign(newField, value && { value }, checked && { checked })
    }
    if (activeElement?.isConnected === false) document.getElementById(activeElement.id)?.focus({ preventScroll: true })
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
