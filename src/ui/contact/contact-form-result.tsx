import { Box, Spinner, Text, VisuallyHidden } from '@chakra-ui/react'
import { type RefObject, useEffect } from 'react'
import { type ContactFormState, ENQUIRY_MESSAGES } from '../../domain/contact-form.ts'
import { TEXT } from '../../domain/texts.ts'

const TONES = { success: 'fg.success', error: 'fg.error' }

type ContactFormResultProps = { readonly ref: RefObject<HTMLDivElement | null>; readonly state: ContactFormState }

/** Takes the focus of the button that a submit disables, and tells how the submit goes. */
export function ContactFormResult({ ref, state }: ContactFormResultProps) {
  useEffect(() => {
    if (state.status !== 'idle') ref.current?.scrollIntoView({ block: 'nearest' })
  }, [ref, state.status])
  const message = state.status === 'submitted' ? ENQUIRY_MESSAGES[state.answer] : null
  return (
    <Box ref={ref} tabIndex={-1} role="status" aria-live="polite" flex="1 1 50px" scrollMarginY="4" outline="0">
      {state.status === 'submitting' && (
        <>
          <Spinner />
          {/* Heard in place of the spinner, and seen where nothing may turn. */}
          <VisuallyHidden as="p" css={{ _motionReduce: { all: 'unset' } }}>
            {TEXT.sending}
          </VisuallyHidden>
        </>
      )}
      {message && (
        <Text minW="min(12rem, 50vw)" fontWeight="bold" color={TONES[message.tone]}>
          {message.text}
        </Text>
      )}
      {message?.tone === 'error' && <Text>{TEXT.sendAgain}</Text>}
    </Box>
  )
}
