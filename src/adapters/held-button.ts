import { startLoadingText } from '../domain/loading-text.ts'
import { browserTimers } from './browser.ts'

const BUTTON = 'button, [role=button], input:is([type=submit], [type=button], [type=checkbox], [type=radio])'
const LONGEST_WAIT_MS = 30_000

/** Releases a held button. After a failure it says at the form what to do: press again, or load the page again. */
export type EndOfWait = (failure: 'retry' | 'reload' | null) => void

/**
 * The button of a press; null if none was pressed. Enter in a field presses the first submit button of the form. If
 * that is the button of an extension, the page's own button is returned.
 */
export function pressedButton(target: EventTarget | null): HTMLElement | null {
  const pressed = target instanceof Element ? target.closest<HTMLElement>(BUTTON) : null
  const isForeign = pressed instanceof HTMLButtonElement && !pressed.hasAttribute('type')
  return (isForeign && pressed.form?.querySelector<HTMLElement>('[type=submit]')) || pressed
}

/** The element for the boot script's texts about a button: in its form, or at the foot of the screen if it has none. */
export function statusOf(button: Element): Element | null {
  const form = button.closest('form')
  return form ? form.querySelector('[data-boot-status]') : document.querySelector('[data-boot-status=page]')
}

/**
 * Marks a button as busy, makes the fields of its form read-only, and says there that the page is loading, until the
 * returned function ends that. Calls `onLate` if it has not ended after 30 seconds.
 */
export function holdButton(button: HTMLElement, onLate: () => void): EndOfWait {
  const status = statusOf(button)
  const loading = copyOfText('loading')
  markBusy(button, true)
  status?.replaceChildren()
  const stopLoadingText = startLoadingText(browserTimers, (dots) => {
    loading?.lastElementChild?.replaceChildren(dots ?? '')
    if (loading && dots !== null && !status?.firstChild) status?.append(loading)
  })
  const cancelLate = browserTimers.after(LONGEST_WAIT_MS, onLate)
  return (failure) => {
    cancelLate()
    stopLoadingText()
    loading?.remove()
    markBusy(button, false)
    const text = failure && copyOfText(failure)
    if (!text || !status) return
    status.replaceChildren(text)
    text.scrollIntoView({ block: 'nearest' })
  }
}

/** Clicks a released button. Components with a state machine accept a press only after they have seen the focus. */
export function pressAgain(button: HTMLElement | undefined): void {
  if (button === document.activeElement) button?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  button?.click()
}

/** A text of src/ui/boot-texts.tsx, or null if something has removed the template from the page. */
function copyOfText(name: string): Element | null {
  const template = document.querySelector<HTMLTemplateElement>('#boot-texts')
  const text = template?.content.querySelector(`[data-text=${name}]`)
  return text ? document.importNode(text, true) : null
}

function markBusy(button: HTMLElement, busy: boolean) {
  button.setAttribute('aria-busy', String(busy))
  for (const field of button.closest('form')?.elements ?? []) if ('readOnly' in field) field.readOnly = busy
}
