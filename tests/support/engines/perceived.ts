const ELEMENTS = {
  button: 'button',
  dialog: 'dialog[open]',
  heading: 'h1, h2',
  textbox: 'input, textarea',
  /** Read as a whole, in an element of its own. */
  text: '*',
}

export type Role = keyof typeof ELEMENTS

/** What a visitor perceives of an element. */
export type Perceived = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Whether nothing covers its middle. */
  readonly uncovered: boolean
  readonly focused: boolean
  readonly busy: boolean
  readonly disabled: boolean
  readonly readOnly: boolean
  readonly invalid: boolean
  readonly value: string
  readonly description: string
}

/** To run in the page: all that is seen and not inert with this role and name; scrolled to, if it is `wanted`. */
export function perceive(elements: string, name: string, wanted: boolean): Perceived[] {
  const modal = document.querySelector('dialog[open]')
  const namesOf = (element: Element) => {
    const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element : null
    const labels = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    return [
      ...[...(field?.labels ?? [])].map((label) => label.textContent),
      ...labels.map((id) => document.getElementById(id)?.textContent),
      ...[field?.placeholder, element.ariaLabel, element.textContent],
    ].map((text) => text?.trim().replace(/\s*\*$/, ''))
  }
  const all = [...document.querySelectorAll<HTMLElement>(elements)].filter(
    (element) =>
      (!modal || modal.contains(element)) &&
      !element.closest('[inert]') &&
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      // What is only heard is 1 px large.
      element.offsetHeight > 1 &&
      namesOf(element).includes(name),
  )
  const innermost = all.filter((element) => !all.some((other) => other !== element && element.contains(other)))
  return innermost.map((element) => {
    if (wanted) element.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = element.getBoundingClientRect()
    const field = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element : null
    const notes = element.getAttribute('aria-describedby')?.split(' ') ?? []
    return {
      ...{ x, y, width, height },
      uncovered: element.contains(document.elementFromPoint(x + width / 2, y + height / 2)),
      focused: element === document.activeElement,
      busy: element.ariaBusy === 'true',
      disabled: element.matches(':disabled') || element.ariaDisabled === 'true',
      readOnly: field?.readOnly ?? false,
      invalid: element.ariaInvalid === 'true',
      value: field?.value ?? '',
      description: notes
        .map((id) => document.getElementById(id)?.innerText)
        .join(' ')
        .trim(),
    }
  })
}

/** What of a notification is not on its way out. */
export const NOTIFICATION = '[id^=toast-] > :not([inert])'

export const selectorOf = (role: Role, within = ':root'): string => `${within} :is(${ELEMENTS[role]})`

/** To run in the page: what the focus is on, by its name. */
export function focusedName(): string {
  const { activeElement: element } = document
  if (!element || element === document.body) return 'nothing'
  return element.getAttribute('placeholder') ?? element.ariaLabel ?? element.textContent?.trim() ?? ''
}
