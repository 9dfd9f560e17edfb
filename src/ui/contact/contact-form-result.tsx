import { Button, Flex, Spinner, type SystemStyleObject, Text, VisuallyHidden } from '@chakra-ui/react'
import type { MouseEventHandler } from 'react'
import { type ContactFormState, ENQUIRY_RESULTS } from '../../domain/contact-form.ts'
import { TEXT } from '../../domain/texts.ts'
import { CLOSES_DIALOG } from '../../page-marks.ts'
import { FormStatus } from '../form-status.tsx'
import { bringIntoView, Outcome, TAKES_PLACE, takeFocus } from '../outcome.tsx'

export const USE_ID = 'contact-use'
const OUTCOME_ID = 'contact-outcome'

const ring: SystemStyleObject = {
  boxSize: '50px',
  borderWidth: '5px',
  borderColor: 'border',
  borderTopColor: 'colorPalette.solid',
  '--spinner-track-color': 'colors.border',
  animationDuration: '1s',
  _highContrast: { forcedColorAdjust: 'none', borderColor: 'CanvasText', borderTopColor: 'transparent' },
  _motionReduce: { animation: 'none' },
}

/** The height of a result, so that nothing moves: on a phone its button stands under three lines of text. */
const ROOM = { base: '8.5rem', sm: '5.25rem', lg: 'calc(3.75rem + 2px)' }

type ContactFormResultProps = {
  readonly state: ContactFormState
  readonly tryAgain: MouseEventHandler<HTMLButtonElement>
}

/** Shows the progress and the result of a submit. After a failure a button sends the enquiry again. */
export function ContactFormResult({ state, tryAgain }: ContactFormResultProps) {
  const error = state.status === 'idle' ? state.error : null
  const result = state.status === 'submitted' ? ENQUIRY_RESULTS[state.answer] : null
  const received = result?.tone === 'success'
  const submitting = state.status === 'submitting'
  return (
    <FormStatus
      busy={submitting}
      use={{ id: USE_ID, text: TEXT.enquiryUse }}
      // Announces an error if its field had the focus already; otherwise the arriving focus announces it.
      announcement={
        error?.wasFocused && (
          <VisuallyHidden key={error.count}>
            {error.text}
            {/* The same text again would count as no change. */}
            {error.count % 2 ? '' : '\u00A0'}
          </VisuallyHidden>
        )
      }
      flex="1 1 22rem"
      alignItems={{ base: 'start', lg: 'center' }}
      minH={ROOM}
    >
      {submitting && (
        <Flex
          ref={bringIntoView}
          {...TAKES_PLACE}
          aria-hidden="true"
          align={{ base: 'start', lg: 'center' }}
          gap="3"
          minH={ROOM}
          scrollMarginY="1"
        >
          <Spinner css={ring} />
          <Text whiteSpace="nowrap" lineHeight={{ base: '50px', lg: 'inherit' }}>
            {TEXT.sending}
          </Text>
        </Flex>
      )}
      {result && (
        <Outcome
          id={OUTCOME_ID}
          severity={result.tone}
          // At Close, a second Enter would close the dialog before the thanks are read.
          takesFocus={received}
          action={
            received ? (
              <Button {...CLOSES_DIALOG.props}>{TEXT.close}</Button>
            ) : (
              <Button ref={takeFocus} aria-describedby={OUTCOME_ID} onClick={tryAgain}>
                {TEXT.tryAgain}
              </Button>
            )
          }
        >
          {result.text}
        </Outcome>
      )}
    </FormStatus>
  )
}
