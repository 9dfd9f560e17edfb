import { Box, Spinner, Text, VisuallyHidden } from '@chakra-ui/react'
import { keyframes } from '@emotion/react'
import { useEffect, useRef } from 'react'
import { type ContactFormState, ENQUIRY_MESSAGES } from '../../domain/contact-form.ts'
import { TEXT } from '../../domain/texts.ts'
import { FormStatus } from '../form-status.tsx'

const TONES = { success: 'fg.success', error: 'fg.error' }

const fly = keyframes({
  '30%': { transform: 'translate(-0.25rem, 0.25rem)' },
  '75%': { transform: 'translate(4rem, -2.5rem) scale(0.6)', opacity: 0 },
  '76%': { transform: 'none', opacity: 0 },
})
/** The envelope is off with what was received. */
const ENVELOPE = { _motionSafe: { 'form:has(&) [data-icon=envelope]': { animation: `${fly} 0.9s ease-in` } } }

type ContactFormResultProps = {
  readonly state: ContactFormState
  /** What is heard of an error, and not seen: it stands at its field. */
  readonly saidError: { readonly text: string; readonly press: number }
}

/** Tells how a submit goes. */
export function ContactFormResult({ state, saidError }: ContactFormResultProps) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (state.status !== 'idle') region.current?.scrollIntoView({ block: 'nearest' })
  }, [state.status])
  const message = state.status === 'submitted' ? ENQUIRY_MESSAGES[state.answer] : null
  const submitting = state.status === 'submitting'
  return (
    <FormStatus ref={region} form="contact" busy={submitting} color="fg.error" flex="1 1 50px" scrollMarginY="4">
      {submitting && <Spinner aria-hidden="true" />}
      {state.status === 'idle' && state.error && (
        <VisuallyHidden key={saidError.press}>{saidError.text}</VisuallyHidden>
      )}
      {message && (
        // One element, so that it is announced whole.
        <Box minW="min(12rem, 50vw)" css={message.tone === 'success' ? ENVELOPE : {}}>
          <Text fontWeight="bold" color={TONES[message.tone]}>
            {message.text}
          </Text>
          {message.tone === 'error' && <Text>{TEXT.sendAgain}</Text>}
        </Box>
      )}
    </FormStatus>
  )
}
