/** Lets the picture come in softly once it is whole; until then its colours stand there. */
export function fadeInPicture() {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const fade = document
    .querySelector('main')
    ?.animate({ opacity: [0, 1] }, { duration: 200, pseudoElement: '::before' })
  fade?.pause()
  addEventListener('load', () => fade?.play())
}
