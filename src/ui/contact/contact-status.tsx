import { Box, Button, Flex } from '@chakra-ui/react'
import type { Outcome } from '../../domain/outcomes.ts'
import { TEXT } from '../../domain/texts.ts'
import { OutcomeBox, takeFocus } from '../forms/outcome-box.tsx'
import { RING } from '../theme/recipes.ts'

// What the contact form shows in the place of its status. `FormStatus` announces the wait.

const OUTCOME_ID = 'contact-outcome'

export const RING_SIZE = '50px'

export const SENDING = (
  <Flex align="center" gap="4" aria-hidden="true">
    <Box
      css={RING}
      boxSize={RING_SIZE}
      borderWidth="5px"
      color="colorPalette.solid"
      _motionReduce={{ animation: 'none' }}
    />
    {TEXT.sending}
  </Flex>
)

type ContactOutcomeProps = { readonly outcome: Outcome; readonly tryAgain: () => void }

/** Thanks get the focus. After a failure 'Try again' gets it. */
export function ContactOutcome({ outcome, tryAgain }: ContactOutcomeProps) {
  const { severity, atForm, detail, arrived } = outcome
  // After thanks nothing is left to do: the dialog has its Close, and a second of that name would be a riddle.
  const action = !arrived && (
    <Button ref={takeFocus} aria-describedby={OUTCOME_ID} onClick={tryAgain}>
      {TEXT.tryAgain}
    </Button>
  )
  const text = atForm ?? detail
  return <OutcomeBox severity={severity} text={text} textId={OUTCOME_ID} takesFocus={arrived} action={action} />
}
