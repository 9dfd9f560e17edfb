import { Box, Button, chakra, Field, Flex, Input, Text } from '@chakra-ui/react'
import { useEffect, useRef } from 'react'
import { NOTIFICATIONS } from '../../domain/subscription.ts'
import { TEXT } from '../../domain/texts.ts'
import { EMAIL_INPUT } from '../email-input.ts'
import { FormStatus } from '../form-status.tsx'
import { useSubscribeForm } from './use-subscribe-form.ts'

const ERROR_ID = 'email-error'
const USE_ID = 'email-use'

/** Below the panel, at the edge of the field's text. */
const sentence = {
  w: 'full',
  px: 'calc({spacing.5} + 1px)',
  fontSize: { base: '0.8125rem', sm: 'sm' },
  lineHeight: 1.3,
  textAlign: 'start',
} as const

/** The form to subscribe. Its input is uncontrolled: a text typed before the app ran stays, and is sent. */
export function SubscribeForm() {
  const { state, input, submit, changed } = useSubscribeForm()
  const busy = state.status === 'submitting'
  const invalid = state.status === 'rejected'
  const error = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (invalid) error.current?.scrollIntoView({ block: 'nearest' })
  }, [invalid])
  return (
    <chakra.form
      name="subscribe"
      // Outside a dialog this method does nothing: without scripts no address ends up in a URL.
      method="dialog"
      noValidate
      // Otherwise Firefox calls the form invalid while a required field is empty, and a screen reader says so.
      aria-invalid={false}
      w={{ base: 'min(32rem, 100%)', '2xl': '42rem' }}
      onSubmit={submit}
    >
      <Field.Root id="email" role="none" invalid={invalid} required gap="0">
        {/* Field and button stand on one panel, so that they look like one control. */}
        <Flex
          direction={{ base: 'column', sm: 'row' }}
          w="full"
          gap="1.5"
          p="1.5"
          color="fg"
          bg="bg.panel"
          borderRadius="l3"
          boxShadow="0 0 0 1px #ffffffa6"
        >
          <Box flex="1">
            <Field.Label
              display="block"
              position="relative"
              zIndex={1}
              pt="1.5"
              // The last line of the label overlaps the input.
              mb="calc(-1 * var(--line) - {spacing.1.5})"
              px="calc({spacing.3.5} + 1px)"
              textStyle={{ '2xl': 'lg' }}
              textAlign="start"
            >
              {TEXT.email}
            </Field.Label>
            <Input
              ref={input}
              {...EMAIL_INPUT}
              name="email"
              dir="auto"
              placeholder={TEXT.emailPlaceholder}
              enterKeyHint="send"
              aria-invalid={invalid}
              // For an error Chakra sets aria-errormessage, which not every screen reader reads.
              aria-describedby={(invalid ? ERROR_ID : TEXT.emailUse && USE_ID) || undefined}
              // Room for the last line of the label, however large the browser makes it.
              pt="calc(var(--line) + 2px)"
              display="block"
              fontSize={{ base: 'md', '2xl': 'xl' }}
              css={{ '&:not([aria-invalid=true])': { borderColor: 'transparent', bg: 'bg.panel' } }}
              onInput={changed}
            />
          </Box>
          <Button
            type="submit"
            minH={{ base: '10', '2xl': '14' }}
            fontSize={{ base: 'md', '2xl': 'xl' }}
            maxW={{ base: 'full', sm: '50%' }}
            aria-busy={busy}
            aria-disabled={busy}
          >
            {TEXT.subscribe}
          </Button>
        </Flex>
        {TEXT.emailUse && (
          <Text id={USE_ID} {...sentence} pt="1.5">
            {TEXT.emailUse}
          </Text>
        )}
        {/* Room for the longest text, so that nothing moves when one comes and goes, aligned to the field's text. */}
        <Box {...sentence} minH="calc(2 * var(--line) + {spacing.1})" pt="1" fontWeight="bold">
          {/* The notification announces these texts. */}
          <Field.ErrorText ref={error} id={ERROR_ID} aria-live="off" color="hero.error">
            {state.status === 'rejected' && state.error}
          </Field.ErrorText>
          {state.status === 'answered' && (
            <Text color={state.answer === 'failed' ? 'hero.error' : undefined}>
              {NOTIFICATIONS[state.answer]?.detail}
            </Text>
          )}
          <FormStatus busy={busy} errorColor="hero.error" />
        </Box>
      </Field.Root>
    </chakra.form>
  )
}
