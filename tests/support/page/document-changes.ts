/**
 * What translations, password managers, spell checkers and blockers do to the document. Each runs in the page, so it names
 * nothing from outside.
 */
export const DOCUMENT_CHANGES = {
  'texts are translated': () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: CharacterData[] = []
    for (let node = walker.nextNode(); node instanceof CharacterData; node = walker.nextNode()) texts.push(node)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('textarea')) continue
      const wrapper = document.createElement('font')
      wrapper.append(`¡${text.data}!`)
      text.replaceWith(wrapper)
    }
  },
  'nodes stand beside and around the fields': () => {
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
      const wrapper = document.createElement('span')
      wrapper.attachShadow({ mode: 'open' }).append(document.createElement('slot'))
      const focused = document.activeElement === field
      field.before(
        document.createElement('button'),
        Object.assign(document.createElement('input'), { name: field.name }),
        wrapper,
      )
      wrapper.append(field)
      if (focused) field.focus()
    }
  },
  'text stands between all tags': () => {
    for (const element of document.querySelectorAll('#root *, #contact *'))
      if (!element.closest('svg, textarea')) element.before(' \n')
  },
  'labels are rewritten': () => {
    for (const label of document.querySelectorAll('label, button')) label.textContent = `* ${label.textContent}`
  },
  'elements are wrapped': () => {
    for (const element of document.querySelectorAll('#email-error, [id$=-error], [data-severity], main form p')) {
      const wrapper = document.createElement('span')
      element.replaceWith(wrapper)
      wrapper.append(element)
    }
  },
  'elements are removed': () => {
    document.querySelector('main p')?.remove()
    for (const label of document.querySelectorAll('form label')) label.remove()
  },
}
