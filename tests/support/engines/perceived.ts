/** Where to look for what has this role. */
export const ELEMENTS = {
  button: 'button',
  textbox: 'input, textarea',
  /** Read as a whole, in an element of its own. */
  text: '*',
}

/** What of a notification is not on its way out. */
export const NOTIFICATION = '[id^=toast-] > :not([inert])'

/** To run in the page: all that is seen and not inert with this name, scrolled into view. */
export function perceive(selector: string, name: string) {
  const modal = document.querySelector('dialog[open]') ?? document
  const seen = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (element) =>
      modal.contains(element) &&
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      // What is only heard is 1 px large.
      element.offsetHeight > 1 &&
      (element.getAttribute('placeholder') ?? element.ariaLabel ?? element.textContent.trim()) === name,
  )
  const innermost = seen.filter((element) => !seen.some((other) => other !== element && element.contains(other)))
  return innermost.map((element) => {
    element.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = element.getBoundingClientRect()
    const middle = [x + width / 2, y + height / 2] as const
    const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element : null
    return {
      middle,
      /** Whether nothing covers its middle. */
      uncovered: element.contains(document.elementFromPoint(...middle)),
      busy: element.ariaBusy === 'true' || element.ariaDisabled === 'true',
      readOnly: field?.readOnly ?? false,
      value: field?.value ?? '',
    }
  })
}
