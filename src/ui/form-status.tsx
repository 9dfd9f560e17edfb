import { Box, Flex, type SystemStyleObject, Text, VisuallyHidden } from '@chakra-ui/react'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import type { Severity } from '../domain/notification.ts'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { APP_FAILED, LOADING } from '../page-marks.ts'
import { Icon } from './icons.tsx'
import { ReloadLink } from './links.tsx'
import { useServices } from './services.tsx'

/** The look of an outcome, which can be told from other severities at a glance, on any ground. */
const outcomeBox = (severity: Severity): SystemStyleObject => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 'min({spacing.2.5}, 3vw)',
  px: 'min({spacing.2.5}, 3.5vw)',
  py: '7px',
  color: `fg.${severity}`,
  bg: `bg.${severity}`,
  borderWidth: '1px',
  borderColor: 'currentcolor',
  borderRadius: 'l2',
  scrollMarginY: '2',
  focusVisibleRing: 'outside',
  // On a small phone large text is enlarged less, so that words fit in a line.
  fontSize: 'min(1em, 7vw)',
  '& svg': { color: { base: `fg.${severity}`, _highContrast: 'CanvasText' } },
  // On a phone a button stands under the text, not under the icon.
  '& > :is(a, button)': { ms: { base: 'min(2.125rem, 9.3vw)', sm: 0 } },
})

/** All children stand at one place, one at a time. */
const place = { display: 'grid', lineHeight: 1.4, textWrap: 'balance', '& > *': { gridArea: '1 / 1' } }
const hiddenBeforeApp = `${LOADING.selector}:not([hidden]) ~ &, html[${APP_FAILED}] &`

type OutcomeProps = {
  readonly severity: Severity
  readonly text: string
  /** The address that was sent, a first line in bold. */
  readonly address?: string | undefined
  /** Whether it gets the focus, so that screen readers read it. */
  readonly takesFocus?: boolean
  /** A button: what the visitor can do next. */
  readonly action?: ReactNode
}

type FormStatusProps = ComponentProps<typeof Box> & {
  /** The id of the hint or, after an attempt, of the outcome's text. */
  readonly textId: string
  /** How the typed text is used. No text, no hint. */
  readonly hint: string
  readonly sending: boolean
  /** What replaces the hint during a call. */
  readonly progress?: ReactNode
  readonly outcome: OutcomeProps | null
  readonly outcomeStyle?: SystemStyleObject
  /** A text that is announced, and not shown. */
  readonly announcement?: string
}

/** The one place of a form for the hint, the progress of an attempt, or its outcome. */
export function FormStatus(props: FormStatusProps) {
  const { textId, hint, sending, progress, outcome, outcomeStyle, announcement, ...rest } = props
  // A quick answer neither flashes nor interrupts a screen reader.
  const showsProgress = useLasting(sending, 300) && progress
  const announcesProgress = useLasting(sending, 1000)
  return (
    <Box css={place} position="relative" {...rest}>
      {/* The boot script shows it while a submit waits for the app, and writes the dots. */}
      <Text {...LOADING.props} hidden aria-live="polite">
        {TEXT.loading}
        <Box as="span" aria-hidden="true" _after={{ content: 'attr(data-dots)' }} />
      </Text>
      <Box role="alert" css={{ display: 'none', [`html[${APP_FAILED}] &`]: { display: 'block' } }}>
        <Outcome severity="error" text={ENQUIRY_TEXT.failed} action={<ReloadLink />} css={outcomeStyle} />
      </Box>
      {/* A live region is in the page from the start: browsers announce no region that appears with its text. */}
      <VisuallyHidden aria-live="polite">{announcesProgress ? TEXT.sending : announcement}</VisuallyHidden>
      <Box css={{ [hiddenBeforeApp]: { visibility: 'hidden' } }}>
        {outcome && <Outcome textId={textId} {...outcome} css={outcomeStyle} />}
        {!outcome && <Text id={textId}>{!showsProgress && hint}</Text>}
        {!outcome && showsProgress}
      </Box>
    </Box>
  )
}

/** Whether `active` has been true for this time. */
function useLasting(active: boolean, milliseconds: number): boolean {
  const { timers } = useServices()
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!active) return
    const cancel = timers.after(milliseconds, () => setLasts(true))
    return () => {
      cancel()
      setLasts(false)
    }
  }, [active, milliseconds, timers])
  return active && lasts
}

/** For the ref of an element that appears. The browser scrolls it into view. */
export const takeFocus = (element: HTMLElement | null) => element?.focus()
const bringIntoView = (element: Element | null) => void element?.scrollIntoView({ block: 'nearest' })

function Outcome(props: OutcomeProps & { readonly textId?: string; readonly css?: SystemStyleObject | undefined }) {
  const { textId, severity, text, address, takesFocus, action, css } = props
  const focusable = takesFocus && { ref: takeFocus, tabIndex: -1, role: 'group', 'aria-labelledby': textId }
  return (
    <Box ref={bringIntoView} css={[outcomeBox(severity), css]} {...focusable}>
      <Flex flex="1 1 min(12rem, 60%)" gap="min({spacing.2.5}, 3vw)">
        <Icon name={severity} size="1.5em" />
        <Box id={textId} minW="0">
          {address && (
            <Text fontWeight="bold">
              {/* A long address breaks before its @. */}
              {address.split('@')[0]}
              <wbr />@{address.split('@')[1]}
            </Text>
          )}
          <Text>{text}</Text>
        </Box>
      </Flex>
      {action}
    </Box>
  )
}
