/**
 * Lets React take its nodes out, and put others before them, where a translation or an extension has wrapped, moved or
 * removed them. React expects each node where it put it, and would break off with an exception.
 */
export function tolerateForeignNodes(): void {
  const { insertBefore, removeChild } = Node.prototype
  Node.prototype.insertBefore = function (node, before) {
    let sibling: Node | null = before
    while (sibling && sibling.parentNode !== this) sibling = sibling.parentNode
    return insertBefore.call(this, node, sibling) as typeof node
  }
  Node.prototype.removeChild = (child) => {
    if (child.parentNode) removeChild.call(child.parentNode, child)
    return child
  }
}
