import { chakra } from '@chakra-ui/react'
import { keyframes } from '@emotion/react'
import { usePresence } from 'framer-motion'
import { useAnimate } from 'framer-motion/mini'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { ShownNotification } from '../../domain/notifications.ts'
import { focusEmail } from '../forms/email-focus.ts'
import { CloseIcon, Icon } from '../icons.tsx'
import { useServices } from '../services.ts'
import { PLACE } from '../theme/brand.ts'

const EXIT_SECONDS = 0.15

// A notification does not fade in, so that its first frame can be read.
const slideIn = keyframes({ from: { transform: 'translateY(-0.75rem)' } })
const runOut = keyframes({ to: { transform: 'scaleX(0)' } })

const Card = chakra('div', {
  base: {
    position: 'sticky',
    top: '20px',
    display: 'flex',
    gap: 'min({spacing.3}, 3vw)',
    w: 'min(25rem, 100%)',
    maxH: '50dvh',
    overflow: 'hidden auto',
    px: 'min({spacing.5}, 5.5vw)',
    py: '4',
    // On a small phone large text is enlarged less, so that all of it fits and leaves room for the form.
    fontSize: 'min({fontSizes.md}, 7vw, 6dvh)',
    lineHeight: 1.4,
    color: 'fg',
    bg: 'bg.panel',
    // The ring of its button stands on paper.
    colorPalette: 'brand',
    borderRadius: 'l3',
    boxShadow: { base: `0 8px 32px ${PLACE.ink}73`, _dark: '0 0 0 1px {colors.bg.emphasized}, 0 8px 32px #0008' },
    pointerEvents: 'auto',
    _highContrast: { borderWidth: '1px' },
    '& > p': { flex: 1, minW: 0, textWrap: 'pretty', whiteSpace: { sm: 'pre-line' } },
    _motionSafe: { animation: `${slideIn} 0.2s ease-out` },
  },
})

/** Shrinks to nothing during the life of the notification. */
const ProgressBar = chakra('div', {
  base: {
    position: 'absolute',
    insetInline: 0,
    bottom: 0,
    h: '4px',
    transformOrigin: 'left',
    _rtl: { transformOrigin: 'right' },
    _highContrast: { bg: 'CanvasText', forcedColorAdjust: 'none' },
  },
})

/** A notification with what closes it: the icon, or the end of its life, which the bar shows. */
export function NotificationCard({ severity, summary, detail, life, closable, paused }: ShownNotification) {
  const { notifications } = useServices()
  const color = `fg.${severity}`
  const textId = useId()
  const card = useExit()
  const touched = useRef(false)
  // On a low screen the card would cover the field that has the focus.
  useEffect(() => {
    requestAnimationFrame(() => document.activeElement?.scrollIntoView({ block: 'nearest' }))
  }, [])
  return (
    <Card
      ref={card}
      data-severity={severity}
      css={{ '& > svg': { color } }}
      onPointerEnter={() => notifications.setPause('pointer', true)}
      onPointerLeave={() => notifications.setPause('pointer', false)}
      onFocus={() => notifications.setPause('focus', true)}
      onBlur={() => notifications.setPause('focus', false)}
    >
      <Icon name={severity} size="1.5em" />
      {/* One block, so that screen readers read the text whole and in order. */}
      <p id={textId}>
        <b>{summary}</b>
        <br />
        {detail}
      </p>
      {closable ? (
        <CloseIcon
          aria-describedby={textId}
          alignSelf="start"
          m="-10px"
          onPointerDown={({ pointerType }) => {
            touched.current = pointerType === 'touch'
          }}
          // A press does not move the focus to this button, which disappears.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            notifications.close()
            // After a touch, the focus in a field would open the phone's keyboard.
            if (!touched.current) focusEmail()
          }}
        />
      ) : (
        // A new bar begins in full when the life begins again.
        <ProgressBar key={String(paused)} bg={color} animation={paused ? 'none' : `${runOut} ${life}ms linear`} />
      )}
    </Card>
  )
}

/** Fades out a notification that was closed or replaced. If it has the focus, an email input gets it. */
function useExit() {
  const [card, animate] = useAnimate<HTMLDivElement>()
  const [present, remove] = usePresence()
  useLayoutEffect(() => {
    if (present) return
    if (card.current.contains(document.activeElement)) focusEmail()
    card.current.inert = true
    animate(card.current, { opacity: 0 }, { duration: EXIT_SECONDS }).then(() => remove())
  }, [present, remove, animate, card])
  return card
}
