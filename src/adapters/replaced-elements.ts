import { browserTimers } from './browser.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement
type Field = TextField | HTMLSelectElement

/** An element that a visitor uses, and a way to find it again after React has rendered it anew. */
type Used = { readonly element: HTMLElement; readonly findAgain: () => HTMLElement | undefined }

/** Finds an element again by its id or, without an id, by its class and its place among the elements of that class. */
function usedElement(element: HTMLElement): Used {
  const { id, localName, className } = element
  const alike = () =>
    [...document.querySelectorAll<HTMLElement>(localName)].filter((each) => each.className === className)
  const place = alike().indexOf(element)
  return { element, findAgain: () => document.getElementById(id) ?? alike()[place] }
}

const PRESSABLE = 'a, button, label, input, textarea, select'

/**
 * Follows what a visitor uses. The returned function is called when React has rendered a part of the page anew, because a
 * translation or an extension had changed its HTML: it gives the new elements the texts, the focus, and a press that had
 * begun at an old element.
 */
export function followUse(): () => void {
  let fields: Field[] = []
  let focused: Used | null = null
  let pressed: Used | null = null
  /** The new element in place of the pressed one. */
  let replacement: HTMLElement | undefined

  function begin(event: Event) {
    if (!event.isTrusted || (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ')) return
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(PRESSABLE) : null
    // If React removes the element at `pointerdown`, the body is the target of `mousedown`.
    if (!element && event.type !== 'pointerdown') return
    pressed = element && usedElement(element)
    replacement = undefined
  }

  function end({ type }: Event) {
    // By then the browser has made its click, or none if React has removed the element meanwhile.
    browserTimers.after(0, () => {
      const again = replacement
      pressed = null
      replacement = undefined
      if (type === 'mouseup') again?.focus({ preventScroll: true })
      again?.click()
    })
  }

  // A finger makes mouse events too, all of them after it has left the screen.
  for (const type of ['pointerdown', 'mousedown', 'keydown', 'click']) addEventListener(type, begin, { capture: true })
  for (const type of ['mouseup', 'keyup', 'click']) addEventListener(type, end, { capture: true })
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) focused = usedElement(target)
  })
  addEventListener('DOMContentLoaded', () => {
    fields = [...document.querySelectorAll<Field>('input, textarea, select')]
  })

  return () => {
    for (const field of fields) if (!field.isConnected) moveValue(field)
    fields = fields.filter((field) => field.isConnected)
    if (focused && !focused.element.isConnected) moveFocus(focused)
    if (pressed && !pressed.element.isConnected) replacement = pressed.findAgain()
  }
}

/** React has not heard a focus that came before it. Chakra's accordion takes no press without one. */
export function repeatFocus(): void {
  document.activeElement?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
}

/** Presses a button that React may not have taken over yet. */
export function pressInApp(button: HTMLElement): void {
  const { findAgain } = usedElement(button)
  // At an event of this kind React takes over, at once, the part of the page in which it happens.
  button.dispatchEvent(new Event('pointercancel', { bubbles: true }))
  repeatFocus()
  const current = button.isConnected ? button : findAgain()
  current?.click()
}

const isTextField = (element: Element | null | undefined) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

/** Gives text, choice or tick of a field to the new element. */
function moveValue(field: Field) {
  const again = document.getElementById(field.id)
  if (!isTextField(again) && !(again instanceof HTMLSelectElement)) return
  again.value = field.value
  if ('checked' in field && 'checked' in again && again.checked !== field.checked) again.click()
}

function moveFocus({ element, findAgain }: Used) {
  const again = findAgain()
  again?.focus({ preventScroll: true })
  if (isTextField(element) && isTextField(again) && element.selectionStart !== null)
    again.setSelectionRange(element.selectionStart, element.selectionEnd, element.selectionDirection ?? 'none')
}
