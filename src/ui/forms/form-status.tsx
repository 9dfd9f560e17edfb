import { Box } from '@chakra-ui/react'
import { type ComponentProps, memo, type ReactNode, useEffect, useState } from 'react'
import { TEXT } from '../../domain/texts.ts'
import { APP_FAILED, LOADING_DOTS, WAITS_FOR_APP } from '../../element-names.ts'
import { ReloadLink } from '../links.tsx'
import { useServices } from '../services.ts'
import { OutcomeBox } from './outcome-box.tsx'

/** All children stand at one place. While the boot script shows one of its own, the last child is hidden. */
const place = {
  display: 'grid',
  lineHeight: 1.4,
  textWrap: 'balance',
  '& > *': { gridArea: '1 / 1' },
  [`form:is([${WAITS_FOR_APP}], [${APP_FAILED}]) & > :last-child`]: { visibility: 'hidden' },
}

type FormStatusProps = ComponentProps<typeof Box> & {
  /** How the typed text is used. No text, no hint. */
  readonly hint: string
  /** The id of the hint, which is a description also while another text stands in its place. */
  readonly hintId: string
  readonly sending: boolean
  /** What replaces the hint during a call. */
  readonly progress?: ReactNode
  /** What replaces the hint after an attempt: an `OutcomeBox`. */
  readonly outcome: ReactNode
  /** A text that is announced, and not shown. */
  readonly announcement?: string
}

/**
 * The text 'Loading', and the outcome of an app that can't be loaded: the boot script shows one of them. Neither changes,
 * so React draws both once. Browsers announce no live region that appears with its text, so this one is always there.
 */
const BeforeApp = memo(() => (
  <div aria-live="polite">
    <Box as="p" css={{ display: 'none', [`form[${WAITS_FOR_APP}] &`]: { display: 'block' } }}>
      {TEXT.loading}
      <Box as="span" {...LOADING_DOTS.props} aria-hidden="true" _after={{ content: 'attr(data-dots)' }} />
    </Box>
    <Box css={{ display: 'none', [`form[${APP_FAILED}] &`]: { display: 'block' } }}>
      <OutcomeBox severity="error" text={TEXT.failed} action={<ReloadLink />} />
    </Box>
  </div>
))

/**
 * The one place of a form for its status. It has three parts: what the boot script shows before the app runs, what is
 * only announced, and what everybody sees of the state: the hint, the progress of an attempt, or its outcome.
 */
export function FormStatus(props: FormStatusProps) {
  const { hint, hintId, sending, progress, outcome, announcement, css, ...rest } = props
  // A quick answer neither flashes nor interrupts a screen reader.
  const showsProgress = useLasting(sending, 300) && progress !== undefined
  const announcesProgress = useLasting(sending, 1000)
  return (
    <Box css={[place, css]} position="relative" {...rest}>
      <BeforeApp />
      <Box srOnly aria-live="polite">
        {announcesProgress ? TEXT.sending : announcement}
      </Box>
      <div>
        <p id={hintId} hidden={Boolean(outcome) || showsProgress}>
          {hint}
        </p>
        {outcome}
        {showsProgress && progress}
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
