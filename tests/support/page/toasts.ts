/** The toasts on the page, wherever they are announced; not one that is seen going. */
export const toasts = () => [...document.querySelectorAll<HTMLElement>('[id^=toast-] > :not([inert])')]

/** The one toast on the page. */
export function toast(): HTMLElement {
  const [only, ...others] = toasts()
  if (!only || others.length > 0) throw new Error(`Expected one toast, found ${toasts().length}.`)
  return only
}
