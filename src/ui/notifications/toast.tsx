import { Box, CloseButton, Flex, Text } from '@chakra-ui/react'
import { keyframes } from '@emotion/react'
import { usePresence } from 'framer-motion'
import { useAnimate } from 'framer-motion/mini'
import { useEffect, useEffectEvent, useId } from 'react'
import { createPortal } from 'react-dom'
import type { ActiveNotification, Severity } from '../../domain/notification.ts'
import { TEXT } from '../../domain/texts.ts'
import { Icon, SeverityIcon } from '../icons.tsx'
import { usePorts } from '../ports-context.ts'

const EXIT_SECONDS = 0.15

const COLORS: Record<Severity, string> = {
  success: 'fg.success',
  info: 'fg.info',
  warn: 'fg.warning',
  error: 'fg.error',
}

// It does not fade in: its first frame can be read.
const slideIn = keyframes({ from: { transform: 'translateY(-0.75rem)' } })
const runOut = keyframes({ to: { transform: 'scaleX(0)' } })

/** A notification, in the live region that announces it. */
export function Toast({ notification, paused }: Omit<ActiveNotification, 'key'>) {
  const { notifications, liveRegion } = usePorts()
  const { severity, summary, detail, life, closable } = notification
  const messageId = useId()
  const { card, present } = useExit()
  return createPortal(
    <Flex
      ref={card}
      data-severity={severity}
      inert={!present}
      onPointerEnter={() => notifications.pause('pointer')}
      onPointerLeave={() => notifications.resume('pointer')}
      onFocus={() => notifications.pause('focus')}
      onBlur={() => notifications.resume('focus')}
      position="fixed"
      top="20px"
      insetEnd="20px"
      zIndex="20"
      w="min(25rem, 100vw - 40px)"
      maxH="calc(100vh - 40px)"
      overflow="hidden auto"
      gap="3"
      py="3.5"
      ps="4"
      pe="2"
      color="fg"
      bg="bg.panel"
      borderWidth="1px"
      borderInlineStartWidth="0.375rem"
      borderColor={COLORS[severity]}
      borderRadius="l2"
      boxShadow="0 0.5rem 2rem #0006"
      _motionSafe={{ animation: `${slideIn} 0.2s ease-out` }}
    >
      <Box color={COLORS[severity]}>
        <SeverityIcon severity={severity} />
      </Box>
      {/* One paragraph, so that it is announced whole and in order. */}
      <Text id={messageId} flex="1">
        <b>{summary}</b> <br />
        {detail}
      </Text>
      {closable ? (
        <CloseButton
          aria-label={TEXT.close}
          aria-describedby={messageId}
          alignSelf="start"
          mt="-2.5"
          onClick={() => {
            notifications.close()
            focusEmail()
          }}
        >
          <Icon name="close" />
        </CloseButton>
      ) : (
        <ProgressBar key={String(paused)} severity={severity} life={life} paused={paused} />
      )}
    </Flex>,
    liveRegion(severity === 'error' ? 'alert' : 'status'),
  )
}

type ProgressBarProps = { readonly severity: Severity; readonly life: number; readonly paused: boolean }

/** Runs out with the life. */
function ProgressBar({ severity, life, paused }: ProgressBarProps) {
  return (
    <Box
      aria-hidden="true"
      position="absolute"
      insetInline="0"
      bottom="0"
      h="4px"
      bg={COLORS[severity]}
      transformOrigin="left"
      _rtl={{ transformOrigin: 'right' }}
      _highContrast={{ bg: 'CanvasText', forcedColorAdjust: 'none' }}
      animation={paused ? 'none' : `${runOut} ${life}ms linear`}
    />
  )
}

/** Fades a notification out when it has gone, unless another one takes its place. */
function useExit() {
  const { notifications } = usePorts()
  const [card, animate] = useAnimate<HTMLDivElement>()
  const [present, remove] = usePresence()
  const leave = useEffectEvent(() => {
    if (notifications.current()) remove?.()
    else animate(card.current, { opacity: 0 }, { duration: EXIT_SECONDS }).then(() => remove?.())
  })
  useEffect(() => {
    if (!present) leave()
  }, [present])
  return { card, present }
}

/** In the dialog while it is open, else on the page. */
function focusEmail() {
  const scope = document.querySelector('dialog[open]') ?? document
  scope.querySelector<HTMLElement>('input[type=email]')?.focus()
}
