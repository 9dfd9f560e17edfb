/** The toasts on the page, wherever they are announced; not one that is seen going. */
export const toasts = () => [...document.querySelectorAll<HTMLElement>('[id^=toast-] > :not([inert])')]

/** The one toast on the page. */
export function toast(): HTMLElement {
  const [only, ...others] = toasts()
  if (!only || others.length > 0) throw new Error(`Expected one toast, found ${toasts().length}.`)
  return only
}

/** The bar of the toast, as the animation that it is; undefined where there is none, or while it stands still. */
export const progressBar = () =>
  [...toast().children]
    .flatMap((part) => part.getAnimations())
    .find((animation) => animation instanceof CSSAnimation && animation.playState === 'running')
