import { Box, type SystemStyleObject } from '@chakra-ui/react'
import { type ComponentProps, memo, type ReactNode, useEffect, useState } from 'react'
import type { Severity } from '../domain/notification.ts'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { APP_FAILED, LOADING } from '../element-names.ts'
import { Icon } from './icons.tsx'
import { ReloadLink } from './links.tsx'
import { useServices } from './services.tsx'

const OUTCOME_GAP = 'min(10px, 3vw)'

const tone = (severity: Severity) => ({
  [`&[data-tone=${severity}]`]: { '--tone': `colors.fg.${severity}`, bg: `bg.${severity}` },
})

/**
 * The look of an outcome, which can be told from other severities at a glance, on any ground. They are in one rule, which
 * is a part of the page from the start: a rule that comes with an outcome would delay it. Only that of a warning, which no
 * outcome is today, comes with it.
 */
const outcomeBox: SystemStyleObject = {
  ...tone('success'),
  ...tone('info'),
  ...tone('error'),
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: OUTCOME_GAP,
  px: OUTCOME_GAP,
  py: '7px',
  color: 'var(--tone)',
  borderWidth: '1px',
  borderColor: 'currentcolor',
  borderRadius: 'l2',
  scrollMarginY: '2',
  focusVisibleRing: 'outside',
  // On a small phone large text is enlarged less, so that words fit in a line.
  fontSize: 'min(1em, 7vw)',
  '& svg': { color: { base: 'var(--tone)', _highContrast: 'CanvasText' } },
  // Icon and text.
  '& > div': { display: 'flex', flex: '1 1 min(12rem, 60%)', gap: OUTCOME_GAP },
  '& b': { display: 'block' },
  // On a phone a button stands under the text, not under the icon.
  '& > :is(a, button)': { ms: { base: 'min(2.125rem, 9.3vw)', sm: 0 } },
}

/** All children stand at one place, one at a time. */
const place = {
  display: 'grid',
  lineHeight: 1.4,
  textWrap: 'balance',
  '& > *': { gridArea: '1 / 1' },
  [`& > ${LOADING.selector}:not([hidden]) ~ :last-child, html[${APP_FAILED}] & > :last-child`]: {
    visibility: 'hidden',
  },
}

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
  /** The id of the hint, which is a description also while another text stands in its place. */
  readonly hintId: string
  /** How the typed text is used. No text, no hint. */
  readonly hint: string
  /** The id of the outcome's text. */
  readonly outcomeId: string
  readonly sending: boolean
  /** What replaces the hint during a call. */
  readonly progress?: ReactNode
  readonly outcome: OutcomeProps | null
  readonly outcomeStyle?: SystemStyleObject
  /** A text that is announced, and not shown. */
  readonly announcement?: string
}

/** The boot script shows it while a submit waits for the app, and writes the dots. */
const LOADING_TEXT = (
  <p {...LOADING.props} hidden aria-live="polite">
    {TEXT.loading}
    <Box as="span" aria-hidden="true" _after={{ content: 'attr(data-dots)' }} />
  </p>
)

/** The boot script lets it be seen. It never changes, so React draws it once. */
const AppFailed = memo(({ css }: { readonly css: SystemStyleObject | undefined }) => (
  <Box role="alert" css={{ display: 'none', [`html[${APP_FAILED}] &`]: { display: 'block' } }}>
    <Outcome severity="error" text={ENQUIRY_TEXT.failed} action={<ReloadLink />} css={css} />
  </Box>
))

/** The one place of a form for the hint, the progress of an attempt, or its outcome. */
export function FormStatus(props: FormStatusProps) {
  const { hintId, hint, outcomeId, sending, progress, outcome, outcomeStyle, announcement, ...rest } = props
  // A quick answer neither flashes nor interrupts a screen reader.
  const showsProgress = useLasting(sending, 300) && progress !== undefined
  const announcesProgress = useLasting(sending, 1000)
  return (
    <Box css={place} position="relative" {...rest}>
      {LOADING_TEXT}
      <AppFailed css={outcomeStyle} />
      {/* A live region is in the page from the start: browsers announce no region that appears with its text. */}
      <Box srOnly aria-live="polite">
        {announcesProgress ? TEXT.sending : announcement}
      </Box>
      <div>
        <p id={hintId} hidden={outcome !== null || showsProgress}>
          {hint}
        </p>
        {outcome && <Outcome textId={outcomeId} {...outcome} css={outcomeStyle} />}
        {!outcome && showsProgress && <div ref={bringIntoView}>{progress}</div>}
      </div>
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
/** In the frame that draws it, because a scroll needs the layout at once, and a notification may follow. */
const bringIntoView = (element: Element | null) => {
  if (element) requestAnimationFrame(() => element.scrollIntoView({ block: 'nearest' }))
}

function Outcome(props: OutcomeProps & { readonly textId?: string; readonly css?: SystemStyleObject | undefined }) {
  const { textId, severity, text, address, takesFocus, action, css } = props
  const focusable = takesFocus && { ref: takeFocus, tabIndex: -1, role: 'group', 'aria-labelledby': textId }
  return (
    <Box
      ref={bringIntoView}
      data-tone={severity}
      css={[outcomeBox, severity === 'warn' && tone(severity), css]}
      {...focusable}
    >
      <div>
        <Icon name={severity} size="1.5em" />
        <div id={textId}>
          {address && (
            <b>
              {/* A long address breaks before its @. */}
              {address.split('@')[0]}
              <wbr />@{address.split('@')[1]}
            </b>
          )}
          <p>{text}</p>
        </div>
      </div>
      {action}
    </Box>
  )
}
