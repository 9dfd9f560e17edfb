import type { Page } from 'playwright'

/** What lies under something else, also when it is scrolled into view. */
export const covered = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scope = document.querySelector('dialog[open]') ?? document.querySelector('main')
    const parts = scope?.querySelectorAll('h1, h2, p, label, input, textarea, button') ?? []
    return [...parts].flatMap((part) => {
      if (!part.checkVisibility() || part.closest('[id^=toast]')) return []
      part.scrollIntoView({ block: 'nearest' })
      const { left, top, width, height } = part.getBoundingClientRect()
      const seen = document.elementFromPoint(left + width / 2, top + height / 2)
      // What is only heard is 1 px large.
      if (height <= 1 || part.contains(seen)) return []
      return `${part.localName} ${part.textContent} is under ${seen?.localName} ${seen?.textContent}`
    })
  })
