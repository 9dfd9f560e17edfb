import { useAnimate } from 'framer-motion/mini'
import { useLayoutEffect } from 'react'
import { usePorts } from './ports-context.ts'

const AWAY = { opacity: 0, transform: 'translateY(-0.75rem)' }

/** Slides a notification in, so that the same text shown again is seen to be new; and out, where none follows. */
export function useSlide(card: { readonly current: HTMLElement | null }) {
  const { notifications } = usePorts()
  const [, animate] = useAnimate()
  useLayoutEffect(() => {
    const element = card.current
    if (!element || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const entrance = animate(
      element,
      { opacity: [AWAY.opacity, 1], transform: [AWAY.transform, 'none'] },
      { duration: 0.2, ease: [0, 0, 0.2, 1] },
    )
    return () => {
      entrance.stop()
      if (!notifications.current()) showLeaving(element)
    }
  }, [animate, card, notifications])
}

/** Shows what has gone on its way, where it can be neither heard nor pressed. */
function showLeaving(card: HTMLElement) {
  const picture = card.cloneNode(true)
  if (!(picture instanceof HTMLElement)) return
  picture.inert = true
  picture.removeAttribute('style')
  card.parentElement?.after(picture)
  picture.animate(AWAY, { duration: 150, easing: 'ease-in' }).finished.then(() => picture.remove())
}
