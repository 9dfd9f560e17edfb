import { Box, CloseButton, chakra, Flex, Text } from '@chakra-ui/react'
import { keyframes } from '@emotion/react'
import { usePresence } from 'framer-motion'
import { useAnimate } from 'framer-motion/mini'
import { useEffect, useEffectEvent, useId } from 'react'
import type { ActiveNotification, Severity } from '../../domain/notification.ts'
import { TEXT } from '../../domain/texts.ts'
import { OUR_FIELD, SEVERITY } from '../../page-marks.ts'
import { ICON_BUTTON, Icon, SEVERITY_NAMES, SeverityIcon } from '../icons.tsx'
import { useServices } from '../services-context.ts'

const EXIT_SECONDS = 0.15

// A notification does not fade in, so that its first frame can be read.
const slideIn = keyframes({ from: { transform: 'translateY(-0.75rem)' } })
const runOut = keyframes({ to: { transform: 'scaleX(0)' } })

/** A notification. Expects a live region around it, which announces it. */
export function NotificationCard({ notification, paused }: Omit<ActiveNotification, 'key'>) {
  const { notifications } = useServices()
  const { severity, summary, detail, life, closable } = notification
  const messageId = useId()
  const { card, present } = useExit()
  return (
    <Flex
      ref={card}
      direction="column"
      {...{ [SEVERITY]: severity }}
      inert={!present}
      onPointerEnter={() => notifications.pause('pointer')}
      onPointerLeave={() => notifications.resume('pointer')}
      onFocus={() => notifications.pause('focus')}
      onBlur={() => notifications.resume('focus')}
      position="fixed"
      top="0"
      insetEnd="0"
      zIndex="20"
      w="min(25rem, 100vw - 40px)"
      maxH="calc(50 * var(--screen))"
      m="20px"
      overflow="hidden"
      overflowWrap="break-word"
      containerType="inline-size"
      pointerEvents="auto"
      px="min({spacing.3}, 3.5vw)"
      py="2.5"
      // On a small phone large text is enlarged less, so that all of it fits and leaves room for the form.
      fontSize="min(1rem, 7vw, 6 * var(--screen))"
      lineHeight={1.35}
      color="fg"
      bg="bg.panel"
      borderWidth="1px"
      borderInlineStartWidth="0.375rem"
      // In forced colours a thick edge marks an error everywhere.
      _highContrast={{ borderInlineStartWidth: severity === 'error' ? '6px' : '1px' }}
      borderColor={`fg.${SEVERITY_NAMES[severity]}`}
      borderRadius="l2"
      boxShadow="0 0.5rem 2rem #0006"
      _motionSafe={{ animation: `${slideIn} 0.2s ease-out` }}
      css={{
        // In the dialog it is at the same place as on the page, and the dialog makes room below it.
        'dialog &': { position: 'relative', mb: '2', ms: 'auto', me: 'calc(50% - 50vw + 20px)' },
      }}
    >
      <Box
        position="absolute"
        color={`fg.${SEVERITY_NAMES[severity]}`}
        css={{ '& svg': { boxSize: '1.5em' }, '@container (max-width: 224px)': { display: 'none' } }}
      >
        <SeverityIcon severity={severity} />
      </Box>
      {/* One block, so that it is announced whole, in order and once: as two sentences. */}
      <Text
        id={messageId}
        overflow="auto"
        textWrap="balance"
        ps="2em"
        me={closable ? '36px' : undefined}
        css={{ '@container (max-width: 224px)': { ps: 0 } }}
      >
        <b>{summary}</b>
        {/[.!?]$/.test(summary) ? ' ' : <chakra.span fontSize="0">. </chakra.span>}
        <br />
        {detail}
      </Text>
      {closable ? (
        <CloseButton
          {...ICON_BUTTON}
          borderWidth="0"
          aria-label={TEXT.close}
          aria-describedby={messageId}
          position="absolute"
          top="0"
          insetEnd="0"
          focusVisibleRing="inside"
          // A press by mouse does not move the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={({ nativeEvent }) => {
            if (!isTouch(nativeEvent)) focusField(card.current)
            notifications.close()
          }}
        >
          <Icon name="close" />
        </CloseButton>
      ) : (
        <ProgressBar key={String(paused)} severity={severity} life={life} paused={paused} />
      )}
    </Flex>
  )
}

type ProgressBarProps = { readonly severity: Severity; readonly life: number; readonly paused: boolean }

/** Shrinks to nothing during the life of the notification, and is full while the life is paused. */
function ProgressBar({ severity, life, paused }: ProgressBarProps) {
  return (
    <Box
      aria-hidden="true"
      position="absolute"
      insetInline="0"
      bottom="0"
      h="4px"
      bg={`fg.${SEVERITY_NAMES[severity]}`}
      transformOrigin="left"
      _rtl={{ transformOrigin: 'right' }}
      _highContrast={{ bg: 'CanvasText', forcedColorAdjust: 'none' }}
      animation={paused ? 'none' : `${runOut} ${life}ms linear`}
    />
  )
}

/** Fades out a closed notification, or removes a replaced one at once. Moves a focus in it to a field. */
function useExit() {
  const { notifications } = useServices()
  const [card, animate] = useAnimate<HTMLDivElement>()
  const [present, remove] = usePresence()
  const leave = useEffectEvent(() => {
    if (card.current.contains(document.activeElement)) focusField(card.current)
    if (notifications.current()) remove?.()
    else animate(card.current, { opacity: 0 }, { duration: EXIT_SECONDS }).then(() => remove?.())
  })
  useEffect(() => {
    if (!present) leave()
  }, [present])
  return { card, present }
}

/** Whether a finger pressed: the focus in a field would open the phone's keyboard. */
const isTouch = (event: MouseEvent) => event instanceof PointerEvent && event.pointerType === 'touch'

/**
 * Moves the focus to the email input, or in an open dialog to the first field, unless it is at another element there.
 */
function focusField(notification: HTMLElement) {
  const dialog = document.querySelector('dialog[open]')
  const { activeElement } = document
  if (dialog?.contains(activeElement) && !notification.contains(activeElement)) return
  const scope = dialog ?? document
  scope.querySelector<HTMLElement>(OUR_FIELD)?.focus()
}
