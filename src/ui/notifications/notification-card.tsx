import { chakra } from '@chakra-ui/react'
import { keyframes } from '@emotion/react'
import { usePresence } from 'framer-motion'
import { useAnimate } from 'framer-motion/mini'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import type { ShownNotification } from '../../domain/notifications.ts'
import { focusEmail } from '../forms/email-focus.ts'
import { CloseButton, Icon } from '../icons.tsx'
import { useServices } from '../services.ts'
import { SCENE_COLORS } from '../theme/brand.ts'
import { NOTIFICATION_TOP } from '../theme/global-css.ts'

const EXIT_SECONDS = 0.15

const VERTICAL_PADDING = 'min({spacing.4}, 2svh)'
const LINE_HEIGHT = 1.4

// A notification moves in without fading, so that its text can be read at once.
const slideIn = keyframes({ from: { transform: 'translateY(-0.75rem)' } })
const runOut = keyframes({ to: { transform: 'scaleX(0)' } })

const Card = chakra('div', {
  base: {
    position: 'sticky',
    top: NOTIFICATION_TOP,
    display: 'flex',
    gap: 'min({spacing.3}, 3vw)',
    w: 'min(25rem, 100%)',
    maxH: '50dvh',
    overflow: 'hidden auto',
    px: '5',
    py: VERTICAL_PADDING,
    // A visitor's large text is limited on a low screen, so that the card fits and leaves room for the form.
    fontSize: 'min({fontSizes.md}, 6dvh)',
    lineHeight: LINE_HEIGHT,
    color: 'fg',
    bg: 'bg.panel',
    // The focus ring of its button needs a colour that is visible on the card.
    colorPalette: 'brand',
    borderRadius: 'l3',
    boxShadow: {
      base: `0 8px 32px ${SCENE_COLORS.ink}73`,
      _dark: '0 0 0 1px {colors.bg.emphasized}, 0 8px 32px #0008',
    },
    pointerEvents: 'auto',
    _highContrast: { borderWidth: '1px' },
    '& > p': { flex: 1, minW: 0, textWrap: 'pretty', whiteSpace: { sm: 'pre-line', '2xl': 'normal' } },
    // The button to close is in the upper corner, so only the summary leaves room for it.
    '& b': { marginInlineEnd: 'calc({sizes.11} - {spacing.3})' },

    _motionSafe: { animation: `${slideIn} 0.2s ease-out` },
  },
})

/** A bar that gets shorter during the life of the notification. */
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

/** A notification. It has a button to close it, or else a bar that shows when it will close by itself. */
export function NotificationCard({ severity, summary, detail, life, closable, paused }: ShownNotification) {
  const { notifications } = useServices()
  const color = `fg.${severity}`
  const textId = useId()
  const card = useFadeOut()
  const touched = useRef(false)
  // The card may cover the focused field on a low screen. Scroll the field out from under the card.
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
      {/* Summary and detail are one paragraph, so that screen readers read them together and in this order. */}
      <p id={textId}>
        <b>{summary}</b>
        <br />
        {detail}
      </p>
      {closable ? (
        <CloseButton
          aria-describedby={textId}
          position="absolute"
          // The icon of the button has the height of the first line, and ends where the text ends.
          top={`calc(${VERTICAL_PADDING} + ${LINE_HEIGHT / 2}em - {sizes.11} / 2)`}
          insetEnd="calc({spacing.5} - ({sizes.11} - {sizes.5}) / 2)"
          borderRadius="l3"
          onPointerDown={({ pointerType }) => {
            touched.current = pointerType === 'touch'
          }}
          // Keep the focus where it is: this button disappears after the press.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            notifications.close()
            // After a touch, a focused field would open the keyboard of the phone.
            if (!touched.current) focusEmail()
          }}
        />
      ) : (
        // A new key makes a new bar, because the life begins again in full after a pause.
        <ProgressBar key={String(paused)} bg={color} animation={paused ? 'none' : `${runOut} ${life}ms linear`} />
      )}
    </Card>
  )
}

/** Fades out a notification that was closed or replaced. If the focus was in it, moves the focus to an email field. */
function useFadeOut() {
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
