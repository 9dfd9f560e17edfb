import { Box, Button, Flex } from '@chakra-ui/react'
import type { Outcome } from '../../domain/outcomes.ts'
import { TEXT } from '../../domain/texts.ts'
import { focusOnMount, OutcomeBox } from '../forms/outcome-box.tsx'
import { SPINNER } from '../theme/recipes.ts'

// What the contact form shows as its status: a spinner while it sends, and then the outcome.

const OUTCOME_ID = 'contact-outcome'

export const SPINNER_SIZE = '50px'

/**
 * `FormStatus` announces the wait, so screen readers do not read this. On a phone the spinner is in the row of Submit,
 * because the row below may be out of view.
 */
export const SENDING_SPINNER = (
  <Flex align="center" gap="4" aria-hidden="true">
    <Box
      css={SPINNER}
      position={{ base: 'absolute', sm: 'static' }}
      insetEnd="0"
      bottom={`calc(100% + {spacing.4} + ({sizes.10} - ${SPINNER_SIZE}) / 2)`}
      boxSize={SPINNER_SIZE}
      borderWidth="5px"
      color="colorPalette.solid"
      _motionReduce={{ animation: 'none' }}
    />
    {TEXT.sending}
  </Flex>
)

type ContactOutcomeProps = { readonly outcome: Outcome; readonly tryAgain: () => void }

/** After a success the outcome gets the focus, after a failure its button 'Try again'. */
export function ContactOutcome({ outcome, tryAgain }: ContactOutcomeProps) {
  const { severity, formText, detail, accepted } = outcome
  // After a success nothing is left to do. The dialog already has a button to close it.
  const action = !accepted && (
    <Button ref={focusOnMount} px="4" onClick={tryAgain}>
      {TEXT.tryAgain}
    </Button>
  )
  const text = formText ?? detail
  return (
    <OutcomeBox severity={severity} text={text} textId={OUTCOME_ID} isGroup takesFocus={accepted} action={action} />
  )
}
