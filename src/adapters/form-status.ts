import { startLoadingDots } from '../domain/loading-text.ts'
import type { Cancel } from '../domain/ports.ts'
import { browserTimers } from './browser.ts'

/** When a button that waits says why. */
const LOADING_TEXT_DELAY_MS = 500

const partOf = (form: string, part: 'loading' | 'status' | 'error') =>
  document.querySelector<HTMLElement>(`[data-${part}-of="${form}"]`)

/** Shows a sentence in the place of the form with this name, or with '' none. */
export function showFormStatus(form: string, text: string): void {
  const place = partOf(form, 'status')
  if (!place) return
  place.hidden = text === ''
  place.textContent = text
  if (text) place.scrollIntoView({ block: 'nearest' })
}

/** Shows a sentence at the input of the form, as what is invalid of it, or with '' none. */
export function showFieldError(input: HTMLInputElement | null, text: string): void {
  const place = input?.form && partOf(input.form.name, 'error')
  if (!place) return
  place.textContent = text
  if (text) place.scrollIntoView({ block: 'nearest' })
  input.ariaInvalid = String(text !== '')
}

/** Marks a form whose press waits for the app as busy; after a while 'Loading' stands beside it. Returns what undoes it. */
export function holdForm(form: HTMLFormElement): Cancel {
  let hideText: Cancel = () => {}
  const stop = browserTimers.after(LOADING_TEXT_DELAY_MS, () => {
    hideText = showLoadingText(form.name)
  })
  setBusy(form, true)
  return () => {
    stop()
    hideText()
    setBusy(form, false)
  }
}

function showLoadingText(form: string): Cancel {
  const text = partOf(form, 'loading')
  const dots = text?.querySelector('span')
  text?.toggleAttribute('hidden', false)
  text?.scrollIntoView({ block: 'nearest' })
  const stopDots = startLoadingDots(browserTimers, (shown) => dots?.replaceChildren(shown))
  return () => {
    stopDots()
    dots?.replaceChildren()
    text?.toggleAttribute('hidden', true)
  }
}

/** A form is sent as it was when it was pressed, so its texts can only be read meanwhile. */
function setBusy(form: HTMLFormElement, busy: boolean) {
  for (const control of form.elements) {
    if (control instanceof HTMLButtonElement) control.ariaBusy = String(busy)
    else if ('readOnly' in control) control.readOnly = busy
  }
}
