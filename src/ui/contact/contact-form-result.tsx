import { Box, Spinner, Text, VisuallyHidden } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import { type ContactFormState, ENQUIRY_MESSAGES } from '../../domain/contact-form.ts'
import { TEXT, VALIDATION_TEXT } from '../../domain/texts.ts'
import { FormStatus } from '../form-status.tsx'

const COLORS = { success: 'fg.success', error: 'fg.error' }

/** Tells how a submit goes. */
export function ContactFormResult({ state }: { readonly state: ContactFormState }) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (state.status !== 'idle') region.current?.scrollIntoView({ block: 'nearest' })
  }, [state.status])
  const error = state.status === 'idle' ? state.error : null
  const message = state.status === 'submitted' ? ENQUIRY_MESSAGES[state.answer] : null
  const submitting = state.status === 'submitting'
  return (
    <FormStatus ref={region} busy={submitting} flex="1 1 12rem" scrollMarginY="4">
      {submitting && <Spinner aria-hidden="true" />}
      {/* Seen at its field, and heard also where the focus is there already. */}
      {error && <VisuallyHidden>{VALIDATION_TEXT[error.code]}</VisuallyHidden>}
      {message && (
        // One element, so that it is announced whole.
        <Box>
          <Text fontWeight="bold" color={COLORS[message.tone]}>
            {message.text}
          </Text>
          {message.tone === 'error' && <Text>{TEXT.sendAgain}</Text>}
        </Box>
      )}
    </FormStatus>
  )
}
