/** Runs in the page. Finds parts that are cut, broken, too small for a finger, or covered, and says what to do. */
export function findFlaws(): string[] {
  const flaws: string[] = []
  const { clientWidth, scrollWidth } = document.documentElement
  const report = (element: Element, flaw: string) => flaws.push(`${nameOf(element)} ${flaw}`)
  /** The beginning of a text, or else the id, by which the component is found. */
  function nameOf(element: Element) {
    const { localName, id, textContent } = element
    return `${localName} '${textContent.trim().slice(0, 30) || id || element.className}'`
  }
  const seen = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())

  if (scrollWidth > clientWidth) flaws.push(`the page is ${scrollWidth} px wide: let it wrap (WCAG 1.4.10)`)
  for (const element of seen('body *')) {
    const { overflowX, overflowY, clipPath, clip } = getComputedStyle(element)
    if (clipPath !== 'none' || clip !== 'auto' || !element.textContent?.trim()) continue
    const { left, right } = element.getBoundingClientRect()
    const hides = (overflow: string) => ['hidden', 'clip'].includes(overflow)
    const [wider, higher] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight]
    if (left < 0 || right > clientWidth + 0.5) report(element, 'is over the edge: let its text wrap (WCAG 1.4.4)')
    // A wide table may scroll sideways if the keyboard can reach it (WCAG 1.4.10).
    if ((overflowX === 'auto' && wider > 0 && element.tabIndex < 0) || (hides(overflowX) && wider > 1))
      report(element, 'is cut at its side: let its text wrap (WCAG 1.4.4)')
    // It is no flaw that the element around the header cuts the picture.
    if (hides(overflowY) && higher > 1 && !element.matches(':has(> header)'))
      report(element, 'is cut below: give it minH in place of h (WCAG 1.4.4)')
  }

  for (const text of seen('h1, h2, button, #notifications p, #notifications b').flatMap((part) => [...part.childNodes]))
    for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/\S+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (range.getClientRects().length > 1) flaws.push(`'${word}' is broken: give it room, or less fontSize`)
    }

  for (const part of seen('a, button, input, textarea')) {
    // The input of a checkbox is hidden: its label is pressed.
    const pressed = part.closest('label') ?? part
    if (Math.min(pressed.offsetWidth, pressed.offsetHeight) < 44)
      report(pressed, 'is small: give it minH and minW of 44px (WCAG 2.5.5)')
  }

  const scope = document.querySelector('dialog[open]') ? 'dialog' : ':is(header, main, footer)'
  for (const part of seen(`${scope} :is(h1, h2, p, a, label, input, textarea, button)`)) {
    part.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = part.getBoundingClientRect()
    const cover = document.elementFromPoint(left + width / 2, top + height / 2)
    // A text for screen readers only is 1 px large. A notification may cover the page.
    if (height <= 1 || !part.checkVisibility({ opacityProperty: true }) || part.contains(cover)) continue
    if (!cover) report(part, 'is off the screen, even scrolled: let what contains it scroll (WCAG 1.4.10)')
    else if (!cover.closest('#notifications'))
      report(part, `is under ${nameOf(cover)}: give each a place of its own (WCAG 2.4.11)`)
  }
  return flaws
}
