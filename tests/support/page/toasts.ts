/** The toasts on the page, wherever they are announced; not one that is seen going. */
export const toasts = () => [...document.querySelectorAll<HTMLElement>('[id^=toast-] > :not([inert])')]

/** The one toast on the page. */
export const toast = () => theOnly(toasts())

/** The bars that run out with the life of a toast, as the animations that they are; none while they stand still. */
export const progressBars = () =>
  toasts()
    .flatMap((shown) => shown.getAnimations({ subtree: true }))
    .filter((animation) => animation.playState === 'running' && animation.effect?.getTiming().duration === 3000)

/** The one progress bar on the page. */
export const progressBar = () => theOnly(progressBars())

function theOnly<Found>(found: readonly Found[]): Found {
  const [only] = found
  if (!only || found.length > 1) throw new Error(`Expected one, found ${found.length}.`)
  return only
}
