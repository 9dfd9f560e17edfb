/**
 * Lets React remove its nodes, and insert others before them, after a translation or an extension has wrapped, moved or
 * removed them. React expects each node at its old place, and would otherwise end with an exception.
 */
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
