import { CloseButton, chakra } from '@chakra-ui/react'
import { keyframes } from '@emotion/react'
import { usePresence } from 'framer-motion'
import { useAnimate } from 'framer-motion/mini'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { ActiveNotification } from '../../domain/notification.ts'
import { TEXT } from '../../domain/texts.ts'
import { EMAIL_INPUT } from '../email-input.ts'
import { Icon, SeverityIcon } from '../icons.tsx'
import { usePorts } from '../ports-context.ts'
import { AWAY, place } from './corner.ts'

const drip = keyframes({
  '25%': { transform: 'translateY(-0.5rem) scale(0.94, 1.08)' },
  '55%': { transform: 'translateY(0.125rem) scale(1.1, 0.88)' },
  '80%': { transform: 'translateY(-0.125rem)' },
})

const Card = chakra('div', {
  base: {
    ...place,
    zIndex: 20,
    maxWidth: '25rem',
    maxHeight: 'calc(100vh - 40px)',
    display: 'flex',
    flexWrap: 'wrap',
    gap: '3',
    py: '3.5',
    ps: '4',
    pe: '2',
    '@media (max-height: 30rem)': { py: '2' },
    overflow: 'hidden auto',
    color: 'fg',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderInlineStart: '0.375rem solid var(--severity)',
    borderRadius: '0.5rem',
    boxShadow: '0 0.5rem 2rem #0006',
    '& > svg': { flex: 'none', color: 'var(--severity)' },
    // The cross stands in the line of the summary.
    '& > button': { alignSelf: 'flex-start', mt: '-2.5' },
  },
  variants: {
    severity: {
      success: {
        '--severity': 'colors.fg.success',
        // The drop in the logo is glad of everybody who subscribes.
        _motionSafe: { 'html:has(&) [data-logo]': { animation: `${drip} 0.9s` } },
      },
      info: { '--severity': 'colors.fg.info' },
      warn: { '--severity': 'colors.fg.warning' },
      error: { '--severity': 'colors.fg.error' },
    },
  },
})

const Message = chakra('p', {
  base: { flex: '1 1 8rem', textWrap: 'balance', '@supports (text-wrap: pretty)': { textWrap: 'pretty' } },
})

const Bar = chakra('div', {
  base: {
    position: 'absolute',
    insetInline: 0,
    bottom: 0,
    height: '4px',
    bg: 'var(--severity)',
    transformOrigin: 'left',
    _rtl: { transformOrigin: 'right' },
    _highContrast: { bg: 'CanvasText', forcedColorAdjust: 'none' },
  },
})

/** Runs out with the life. An animation of styles would start anew when the dialog takes the notification over. */
function ProgressBar({ life, paused }: { readonly life: number; readonly paused: boolean }) {
  const [bar, animate] = useAnimate<HTMLDivElement>()
  useEffect(() => {
    if (paused) return
    const animation = animate(
      bar.current,
      { transform: ['none', 'scaleX(0)'] },
      { duration: life / 1000, ease: 'linear' },
    )
    return () => animation.cancel()
  }, [animate, bar, life, paused])
  return <Bar ref={bar} aria-hidden="true" />
}

/** A notification, in the live region that announces it. */
export function Toast({ notification, paused }: Omit<ActiveNotification, 'key'>) {
  const { notifications, contactDialog, liveRegion } = usePorts()
  const [card, animate] = useAnimate<HTMLDivElement>()
  const [present, remove] = usePresence()
  const before = useRef<HTMLElement>(null)
  const messageId = useId()

  /** To the page's email input, or to what had the focus while the dialog is open. */
  function returnFocus() {
    const input = document.getElementById(EMAIL_INPUT)
    const target = contactDialog.current() ? before.current : (input ?? before.current)
    target?.focus()
  }

  const reducesMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

  const enter = useEffectEvent(() => {
    const frames = { opacity: [AWAY.opacity, 1], transform: [AWAY.transform, 'none'] }
    if (!reducesMotion()) animate(card.current, frames, { duration: 0.2, ease: [0, 0, 0.2, 1] })
  })

  const giveUpFocus = useEffectEvent(() => {
    if (card.current.contains(document.activeElement)) returnFocus()
  })

  /** Seen going, unless another one takes its place. */
  const leave = useEffectEvent(() => {
    if (reducesMotion() || notifications.current()) remove?.()
    else animate(card.current, AWAY, { duration: 0.15, ease: 'easeIn' }).then(() => remove?.())
  })

  useLayoutEffect(() => {
    if (present) return enter()
    return giveUpFocus()
  }, [present])

  useEffect(() => {
    if (!present) leave()
  }, [present])

  const { severity, summary, detail, life, closable } = notification
  return createPortal(
    <Card
      ref={card}
      severity={severity}
      data-severity={severity}
      inert={!present}
      onPointerEnter={() => notifications.pause('pointer')}
      onPointerLeave={() => notifications.resume('pointer')}
      onFocus={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement) before.current = relatedTarget
        notifications.pause('focus')
      }}
      onBlur={() => notifications.resume('focus')}
    >
      <SeverityIcon severity={severity} />
      {/* One paragraph, so that it is announced whole and in order. */}
      <Message id={messageId}>
        <b>{summary}</b> <br />
        <span>{detail}</span>
      </Message>
      {closable ? (
        <CloseButton
          aria-label={TEXT.close}
          aria-describedby={messageId}
          onClick={() => {
            notifications.close()
            returnFocus()
          }}
        >
          <Icon name="close" />
        </CloseButton>
      ) : (
        <ProgressBar life={life} paused={paused} />
      )}
    </Card>,
    liveRegion(severity === 'error' ? 'alert' : 'status'),
  )
}
