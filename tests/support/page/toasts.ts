/** The toasts on the page, wherever they are announced. */
export function toasts(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('#toast-status > *, #toast-alert > *')]
}

/** The one toast on the page. */
export function toast(): HTMLElement {
  const [only, ...more] = toasts()
  if (!only || more.length > 0) throw new Error(`Expected one toast, found ${toasts().length}.`)
  return only
}

/** The bars that run out with the life of a toast, as the animations that they are; none while they stand still. */
export function progressBars(life = 3000): Animation[] {
  return toasts()
    .flatMap((shown) => shown.getAnimations({ subtree: true }))
    .filter((animation) => animation instanceof CSSAnimation && animation.effect?.getTiming().duration === life)
}

/** The one progress bar on the page. */
export function progressBar(life?: number): Animation {
  const [only, ...more] = progressBars(life)
  if (!only || more.length > 0) throw new Error(`Expected one progress bar, found ${progressBars(life).length}.`)
  return only
}
