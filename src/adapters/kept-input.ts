type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const controlsIn = (container: HTMLElement) => [...container.querySelectorAll<Control>('input, textarea, select')]

/** Keeps what was filled in before an app takes a part of the page over. */
export function keepInput(container: HTMLElement) {
  const before = controlsIn(container)
  let focused: EventTarget | null = document.activeElement
  addEventListener('focusin', ({ target }) => {
    focused = target
  })
  return {
    /** To the controls that the app has put in the place of those that were there: texts, choices and the focus. */
    move() {
      for (const [at, control] of controlsIn(container).entries()) {
        const old = before[at]
        if (!old || old === control) continue
        if (control instanceof HTMLInputElement && old instanceof HTMLInputElement) control.checked = old.checked
        control.value = old.value
        if (old === focused) control.focus()
      }
    },
    /** Tells the app, by the events that it missed. */
    replay() {
      for (const control of controlsIn(container)) {
        if (control instanceof HTMLInputElement && control.checked !== control.defaultChecked) {
          control.checked = control.defaultChecked
          control.click()
        } else if (control instanceof HTMLSelectElement) {
          control.dispatchEvent(new Event('change', { bubbles: true }))
        } else if (control.value !== control.defaultValue) {
          control.dispatchEvent(new Event('input', { bubbles: true }))
        }
      }
    },
  }
}
