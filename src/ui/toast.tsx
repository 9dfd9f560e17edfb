import { chakra } from '@chakra-ui/react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import type { ActiveNotification } from '../domain/notification.ts'
import { TEXT } from '../domain/texts.ts'
import { CloseButton } from './close-button.tsx'
import { SeverityIcon } from './icons.tsx'
import { makeRoom } from './make-room.ts'
import { usePorts } from './ports-context.ts'
import { useSlide } from './use-slide.ts'

type ToastProps = {
  /** Called when the visitor closes the toast, and when it goes with the focus in it: with what had it before. */
  readonly returnFocus: (before: HTMLElement | null) => void
}

const Card = chakra('div', {
  base: {
    position: 'fixed',
    top: '20px',
    insetInlineEnd: '20px',
    zIndex: 20,
    width: 'min(25rem, 100vw - 40px)',
    maxHeight: 'calc(100vh - 40px)',
    display: 'flex',
    flexWrap: 'wrap',
    gap: '0.75rem',
    padding: '0.875rem 1rem',
    paddingInlineEnd: '0.5rem',
    '@media (max-height: 30rem)': { paddingBlock: '0.5rem' },
    overflow: 'hidden auto',
    color: 'ink',
    background: 'panel',
    border: '1px solid',
    borderColor: 'line',
    borderInlineStart: '0.375rem solid',
    borderInlineStartColor: 'var(--severity)',
    borderRadius: '0.5rem',
    boxShadow: '0 0.5rem 2rem #0006',
    '& > svg': { flex: 'none', color: 'var(--severity)' },
    '&[data-severity=success]': { '--severity': 'colors.success' },
    '&[data-severity=info]': { '--severity': 'colors.info' },
    '&[data-severity=warn]': { '--severity': 'colors.warning' },
    '&[data-severity=error]': { '--severity': 'colors.error' },
    // The cross stands in the line of the summary.
    '& > button': { alignSelf: 'flex-start', margin: '-0.625rem 0' },
  },
})

const Message = chakra('div', { base: { flex: '1 1 8rem', overflowWrap: 'anywhere', textWrap: 'pretty' } })

const ProgressBar = chakra('div', {
  base: {
    position: 'absolute',
    insetInline: 0,
    bottom: 0,
    height: '4px',
    background: 'var(--severity)',
    transformOrigin: 'left',
    '[dir=rtl] &': { transformOrigin: 'right' },
    animation: 'linear forwards',
    _highContrast: { background: 'CanvasText', forcedColorAdjust: 'none' },
  },
})

/** The one notification slot, shown in the live region that announces it. */
export function Toast({ returnFocus }: ToastProps) {
  const { notifications, liveRegion } = usePorts()
  const active = useSyncExternalStore(notifications.onChange, notifications.current, () => null)
  if (!active) return null
  const region = liveRegion(active.notification.severity === 'error' ? 'alert' : 'status')
  return createPortal(<ToastCard {...active} key={active.key} returnFocus={returnFocus} />, region)
}

/** Keeps the words of the last notification for screen readers, who may reach them after it has gone (WCAG 2.2.1). */
export function LastMessage() {
  const { notifications } = usePorts()
  const [message, setMessage] = useState('')
  useEffect(
    () =>
      notifications.onChange((active) => {
        if (active) setMessage(`${active.notification.summary} ${active.notification.detail}`)
      }),
    [notifications],
  )
  return message && <chakra.div position="absolute" role="note" aria-label={TEXT.lastMessage(message)} />
}

export function ToastCard({ notification, paused, returnFocus }: Omit<ActiveNotification, 'key'> & ToastProps) {
  const { notifications } = usePorts()
  const card = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement>(null)
  useSlide(card)
  useLayoutEffect(() => makeRoom(card.current), [])
  useLayoutEffect(() => {
    const element = card.current
    return () => {
      if (element?.contains(document.activeElement)) returnFocus(before.current)
    }
  }, [returnFocus])

  const { severity, summary, detail, life, closable } = notification
  return (
    <Card
      ref={card}
      data-severity={severity}
      onPointerEnter={() => notifications.pause('pointer')}
      onPointerLeave={() => notifications.resume('pointer')}
      onFocus={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement) before.current = relatedTarget
        notifications.pause('focus')
      }}
      onBlur={() => notifications.resume('focus')}
    >
      <SeverityIcon severity={severity} />
      <Message>
        <chakra.p fontWeight={700}>{summary}</chakra.p>
        <p>{detail}</p>
      </Message>
      {closable ? (
        <CloseButton
          onClick={() => {
            notifications.close()
            returnFocus(before.current)
          }}
        />
      ) : (
        // By class, for the page's policy refuses style attributes in what is prerendered.
        <ProgressBar aria-hidden="true" animationName={paused ? 'none' : 'runOut'} animationDuration={`${life}ms`} />
      )}
    </Card>
  )
}
