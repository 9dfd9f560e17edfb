import { Box, type SystemStyleObject } from '@chakra-ui/react'
import { type ComponentProps, memo, type ReactNode, useEffect, useState } from 'react'
import { ENQUIRY_TEXT, TEXT } from '../domain/texts.ts'
import { APP_FAILED, LOADING_DOTS, WAITS_FOR_APP } from '../element-names.ts'
import { ReloadLink } from './links.tsx'
import { bringIntoView, Outcome, type OutcomeProps } from './outcome.tsx'
import { useServices } from './services.tsx'

/** All children stand at one place, one at a time. */
const place = {
  display: 'grid',
  lineHeight: 1.4,
  textWrap: 'balance',
  '& > *': { gridArea: '1 / 1' },
  [`form[${WAITS_FOR_APP}] & > :last-child, html[${APP_FAILED}] & > :last-child`]: { visibility: 'hidden' },
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

/**
 * 'Loading', or that the app can't be had: the boot script lets one of them be seen. It never changes, so React draws it
 * once. It is a live region from the start, because browsers announce no region that appears with its text.
 */
const BeforeApp = memo(({ css }: { readonly css: SystemStyleObject | undefined }) => (
  <div aria-live="polite">
    <Box as="p" css={{ display: 'none', [`form[${WAITS_FOR_APP}] &`]: { display: 'block' } }}>
      {TEXT.loading}
      <Box as="span" {...LOADING_DOTS.props} aria-hidden="true" _after={{ content: 'attr(data-dots)' }} />
    </Box>
    <Box css={{ display: 'none', [`html[${APP_FAILED}] &`]: { display: 'block' } }}>
      <Outcome severity="error" text={ENQUIRY_TEXT.failed} action={<ReloadLink />} css={css} />
    </Box>
  </div>
))

/** The one place of a form for the hint, the progress of an attempt, or its outcome. */
export function FormStatus(props: FormStatusProps) {
  const { hintId, hint, outcomeId, sending, progress, outcome, outcomeStyle, announcement, ...rest } = props
  // A quick answer neither flashes nor interrupts a screen reader.
  const showsProgress = useLasting(sending, 300) && progress !== undefined
  const announcesProgress = useLasting(sending, 1000)
  return (
    <Box css={place} position="relative" {...rest}>
      <BeforeApp css={outcomeStyle} />
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
