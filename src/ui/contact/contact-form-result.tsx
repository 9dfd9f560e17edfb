import { Button, Flex, Spinner, type SystemStyleObject, Text, VisuallyHidden } from '@chakra-ui/react'
import { type MouseEventHandler, useEffect, useRef } from 'react'
import { type ContactFormState, ENQUIRY_RESULTS } from '../../domain/contact-form.ts'
import { TEXT } from '../../domain/texts.ts'
import { FormStatus, Outcome } from '../form-status.tsx'
import { SEVERITY_COLORS } from '../icons.tsx'

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

type ContactFormResultProps = {
  readonly state: ContactFormState
  readonly tryAgain: MouseEventHandler<HTMLButtonElement>
}

/** Shows the progress and the result of a submit. After a failure a button leads back to the form. */
export function ContactFormResult({ state, tryAgain }: ContactFormResultProps) {
  const region = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (state.status === 'idle') return
    for (const { current } of [region, button]) current?.scrollIntoView({ block: 'nearest' })
  }, [state.status])
  const error = state.status === 'idle' ? state.error : null
  const result = state.status === 'submitted' ? ENQUIRY_RESULTS[state.answer] : null
  const submitting = state.status === 'submitting'
  return (
    <>
      <FormStatus ref={region} busy={submitting} flex="1" scrollMarginY="1">
        {submitting && (
          <Flex aria-hidden="true" align="center" gap="3">
            <Spinner css={ring} />
            <Text display="none" _motionReduce={{ display: 'block' }}>
              {TEXT.sending}
            </Text>
          </Flex>
        )}
        {/* Announces an error if its field had the focus already; otherwise the arriving focus announces it. */}
        {error?.wasFocused && (
          <VisuallyHidden key={error.count}>
            {error.text}
            {/* The same text again would count as no change. */}
            {error.count % 2 ? '' : '\u00A0'}
          </VisuallyHidden>
        )}
        {result && (
          <Outcome
            severity={result.tone}
            fontSize={{ base: '0.8125rem', sm: 'md' }}
            lineHeight={{ base: 1.3, sm: 1.5 }}
            px="3"
            py="2"
            bg="bg.muted"
            borderInlineStartWidth="0.375rem"
            borderColor={SEVERITY_COLORS[result.tone]}
            borderRadius="l2"
          >
            {result.text}
          </Outcome>
        )}
      </FormStatus>
      {/* Outside the live region, which would announce the button before the text. */}
      {result?.tone === 'error' && (
        <Button ref={button} type="button" scrollMarginY="1" onClick={tryAgain}>
          {TEXT.tryAgain}
        </Button>
      )}
    </>
  )
}
