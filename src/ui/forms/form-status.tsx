import { Box, type SystemStyleObject } from '@chakra-ui/react'
import { type ComponentProps, memo, type ReactNode, useEffect, useState } from 'react'
import { TEXT } from '../../domain/texts.ts'
import { APP_FAILED, LOADING_DOTS, WAITS_FOR_APP } from '../../element-names.ts'
import { ReloadLink } from '../links.tsx'
import { useServices } from '../services.ts'
import { OutcomeBox } from './outcome-box.tsx'

/** All parts share one place. While `StatusBeforeApp` shows a text there, the part `state` is hidden. */
const stacked = (alignState: SystemStyleObject['alignSelf']) => ({
  display: 'grid',
  lineHeight: 1.4,
  textWrap: 'balance',
  '& > *': { gridArea: '1 / 1' },
  [`form:is([${WAITS_FOR_APP}], [${APP_FAILED}]) & > [data-part=state]`]: { visibility: 'hidden' },
  ...(alignState && { '& > [data-part=state]': { alignSelf: alignState } }),
})

type FormStatusProps = ComponentProps<typeof Box> & {
  /** A sentence that says how the typed text is used. It may be empty. */
  readonly hint: string
  /** The id of the hint. The hint describes a field or a button, also while it is hidden. */
  readonly hintId: string
  readonly sending: boolean
  /** Replaces the hint while the form is sending. */
  readonly progress?: ReactNode
  /** Replaces the hint after an attempt. It is an `OutcomeBox`, or null. */
  readonly outcome: ReactNode
  /** A text that screen readers announce, and that is not shown. */
  readonly announcement?: string
  /** The vertical position of hint, progress and outcome, if the place has more room than they need. */
  readonly alignState?: SystemStyleObject['alignSelf']
}

/**
 * What a form shows if it was submitted before the app runs: 'Loading', or that the app can't be loaded. Both are in the
 * page from the start. The boot script sets an attribute of the form, and the styles then show one of them. React
 * never changes them, so they are drawn only once (`memo`). Screen readers ignore a live region that is added later.
 */
const StatusBeforeApp = memo(() => (
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
 * The place at a form that shows its status. It has three parts:
 *
 * 1. `StatusBeforeApp`: what the boot script shows before the app runs
 * 2. a text that only screen readers announce
 * 3. `state`: what everybody sees while the app runs: the hint, the progress of a call, or the outcome
 */
export function FormStatus(props: FormStatusProps) {
  const { hint, hintId, sending, progress, outcome, announcement, alignState, css, ...rest } = props
  // A quick answer comes before these times. So no progress flashes, and no screen reader is interrupted.
  const showsProgress = useHasLasted(sending, 300) && progress !== undefined
  const announcesProgress = useHasLasted(sending, 1000)
  return (
    <Box css={[stacked(alignState), css]} position="relative" {...rest}>
      <StatusBeforeApp />
      <Box srOnly aria-live="polite">
        {announcesProgress ? TEXT.sending : announcement}
      </Box>
      <div data-part="state">
        <p id={hintId} hidden={Boolean(outcome) || showsProgress}>
          {hint}
        </p>
        {outcome}
        {showsProgress && progress}
      </div>
    </Box>
  )
}

/** Returns whether `active` has been true for this time without a break. */
function useHasLasted(active: boolean, milliseconds: number): boolean {
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
