/** Changes that translators, password managers and blockers make to a document. Each change runs in the page. */
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
  'nodes are added and removed': () => {
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
      const namesake = Object.assign(document.createElement('input'), { name: field.name })
      field.before(document.createElement('button'), namesake)
      field.after(Object.assign(field.cloneNode(), { value: '', placeholder: '' }))
    }
    for (const element of document.querySelectorAll('[id$=-error], [data-severity], main form p')) {
      const wrapper = document.createElement('span')
      element.replaceWith(wrapper)
      wrapper.append(element)
    }
    for (const label of document.querySelectorAll('form label')) label.remove()
  },
}
