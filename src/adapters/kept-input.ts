type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const controlsIn = (container: HTMLElement) => [...container.querySelectorAll<Control>('input, textarea, select')]
/** The same for a control and for the one that takes its place. An extension's own has no name. */
const keyOf = (control: Control) =>
  control.name && [control.form?.name, control.name, control.type === 'radio' && control.value].join()

/** Which of the elements that a selector finds it is; -1 if it is none in the container. */
function placeIn(container: HTMLElement, target: EventTarget | null) {
  if (!(target instanceof Element)) return { selector: '*', at: -1 }
  const name = target.getAttribute('name')
  const selector = name ? `[name="${CSS.escape(name)}"]` : target.localName
  return { selector, at: [...container.querySelectorAll(selector)].indexOf(target) }
}

/** Keeps what was filled in before an app takes a part of the page over. */
export function keepInput(container: HTMLElement) {
  const before = new Map(controlsIn(container).map((control) => [keyOf(control), control]))
  let focused = placeIn(container, document.activeElement)
  const following = new AbortController()
  const onFocus = ({ target }: Event) => {
    focused = placeIn(container, target)
  }
  addEventListener('focusin', onFocus, { signal: following.signal })

  return {
    /** To the controls that the app has put in the place of those that were there: texts, choices and the focus. */
    move() {
      for (const control of controlsIn(container)) {
        const old = before.get(keyOf(control))
        if (!old || old === control) continue
        if (control instanceof HTMLInputElement && old instanceof HTMLInputElement) control.checked = old.checked
        control.value = old.value
      }
      const { selector, at } = focused
      if (document.activeElement === document.body) container.querySelectorAll<HTMLElement>(selector)[at]?.focus()
    },
    /** Tells the app, when it answers events, by those that it missed. */
    replay() {
      following.abort()
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
