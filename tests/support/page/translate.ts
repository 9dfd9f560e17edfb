/** Changes the page as a translator or an extension does: React has to render it anew. */
export function translate() {
  for (const element of document.querySelectorAll('#root *, #contact *')) {
    if (element.children.length > 0 || element.textContent === '') continue
    const words = document.createElement('font')
    words.append('Translated: ', ...element.childNodes)
    element.append(words)
  }
  // What they bring of their own.
  document.body.append(document.createElement('form'))
  for (const form of document.querySelectorAll('#root form, #contact form'))
    form.prepend(document.createElement('input'))
}
