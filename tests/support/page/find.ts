/** To run in the page: finds elements that are over the edge of the screen, and texts that their box cuts. */
export function findCut(): string[] {
  const found: string[] = []
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth)
    found.push(`the page is ${scrollWidth} px wide (WCAG 1.4.10): let the part over the edge wrap`)
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const { overflowX, overflowY, clipPath, clip } = getComputedStyle(element)
    if (!element.checkVisibility() || clipPath !== 'none' || clip !== 'auto' || !element.textContent?.trim()) continue
    const { left, right } = element.getBoundingClientRect()
    const name = `${element.localName}.${element.classList[0]} '${element.textContent.slice(0, 30)}'`
    const remedy = '(WCAG 1.4.4): let its text wrap, and give it minH in place of h'
    const hides = (overflow: string) => ['hidden', 'clip'].includes(overflow)
    const [wider, higher] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight]
    if (left < 0 || right > clientWidth + 0.5) found.push(`${name} is over the edge ${remedy}`)
    if ((overflowX === 'auto' && wider > 0) || (hides(overflowX) && wider > 1))
      found.push(`${name} is cut at its side ${remedy}`)
    if (hides(overflowY) && higher > 1) found.push(`${name} is cut below ${remedy}`)
  }
  return found
}

/** To run in the page: finds words of headings and buttons that the end of a line breaks. */
export function findBroken(): string[] {
  const texts = [...document.querySelectorAll('h1, h2, button')].flatMap((part) => [...part.childNodes])
  return texts.flatMap((text) =>
    [...(text.nodeValue ?? '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      return range.getClientRects().length > 1
        ? `'${word}' is broken: give it room, or less fontSize on narrow screens`
        : []
    }),
  )
}

/** To run in the page: finds links, buttons and fields that are too small for a finger. */
export function findSmall(): string[] {
  const parts = [...document.querySelectorAll<HTMLElement>('a, button, input, textarea')]
  const small = parts.filter((part) => {
    // The input of a checkbox is hidden: its label is pressed.
    const { offsetWidth, offsetHeight } = part.closest('label') ?? part
    return part.checkVisibility() && Math.min(offsetWidth, offsetHeight) < 44
  })
  return small.map(
    ({ localName, classList, textContent }) =>
      `${localName}.${classList[0]} '${textContent}' is smaller than 44 px (WCAG 2.5.5): give it minH and minW of 44px`,
  )
}

/** To run in the page: finds parts that another element covers after scrolling. A notification may cover the page. */
export function findCovered(): string[] {
  const scope = document.querySelector('dialog[open]') ?? document.querySelector('main')
  const parts = [...(scope?.querySelectorAll('h1, h2, p, a, label, input, textarea, button') ?? [])]
  return parts.flatMap((part) => {
    part.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = part.getBoundingClientRect()
    const seen = document.elementFromPoint(left + width / 2, top + height / 2)
    // A text for screen readers only is 1 px large.
    if (
      !part.checkVisibility({ opacityProperty: true }) ||
      height <= 1 ||
      part.contains(seen) ||
      seen?.closest('body > #notifications')
    )
      return []
    const [covered, cover] = [part, seen].map((it) => `${it?.localName}.${it?.classList[0]} '${it?.textContent}'`)
    return `${covered} is under ${cover} (WCAG 2.4.11): keep them apart, or let the place scroll`
  })
}
