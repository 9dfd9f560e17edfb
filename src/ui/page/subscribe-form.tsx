import { Box, Button, chakra, Field, Flex, Input, Stack, Text } from '@chakra-ui/react'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { EMAIL_MAX_LENGTH } from '../../domain/email.ts'
import { CLEARS_INPUT, NOTIFICATIONS, subscribe } from '../../domain/subscription.ts'
import { TEXT, VALIDATION_TEXT } from '../../domain/texts.ts'
import { EMAIL_INPUT } from '../email-input.ts'
import { FormStatus } from '../form-status.tsx'
import { usePorts } from '../ports-context.ts'
import { useOneAtATime } from '../use-one-at-a-time.ts'

/** Grows with the heading, as do logo, field and buttons. */
const WIDTH = { base: 'min(32rem, 100%)', '2xl': '42rem' }

const NOTE = `${EMAIL_INPUT}-note`

/**
 * The input is uncontrolled: what was typed before the app arrived stays, and is read when it is sent. `children`
 * stand below, and move down for a note of several lines; nothing above moves.
 */
export function SubscribeForm({ children }: { readonly children: ReactNode }) {
  const { backend, notifications } = usePorts()
  const { busy, run } = useOneAtATime()
  const [invalid, setInvalid] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  async function submit(isLatest: () => boolean) {
    const typed = input.current?.value ?? ''
    const outcome = await subscribe(backend, typed)
    if (!isLatest()) return
    const notification = NOTIFICATIONS[outcome]
    if (notification) notifications.show(notification)
    if (!input.current) return
    if (CLEARS_INPUT[outcome] && input.current.value === typed) input.current.value = ''
    if (outcome !== 'invalid-email') return
    // Before the focus comes, which reads the description.
    flushSync(() => setInvalid(true))
    // Unless the visitor has gone on to something else.
    const { activeElement, body } = document
    if (activeElement === body || input.current.form?.contains(activeElement)) input.current.focus()
  }

  return (
    <>
      <chakra.form
        name="subscribe"
        // Outside a dialog this method does nothing: without scripts no address ends up in a URL.
        method="dialog"
        noValidate
        // Otherwise Firefox calls it invalid while a required field is empty.
        aria-invalid={false}
        w={WIDTH}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          run(submit)
        }}
      >
        {/* Field and button on one panel: they read as one thing. */}
        <Flex
          direction={{ base: 'column', sm: 'row' }}
          gap="1.5"
          p="1.5"
          bg="bg.panel"
          borderRadius="l3"
          boxShadow="0 0 0 1px #ffffffa6, 0 0.75rem 2.5rem {colors.picture.solid/60}"
        >
          <Field.Root id={EMAIL_INPUT} invalid={invalid} required gap="0">
            <Field.Label
              position="relative"
              zIndex={1}
              pt="1.5"
              // Its last line stands in the input.
              mb="calc(-1lh - {spacing.1.5})"
              px="calc({spacing.3.5} + 1px)"
              textStyle={{ '2xl': 'lg' }}
              textAlign="start"
              _print={{ background: 'none !important' }}
            >
              {TEXT.email}
            </Field.Label>
            <Input
              ref={input}
              type="email"
              name="email"
              dir="auto"
              placeholder={TEXT.emailPlaceholder}
              autoComplete="email"
              inputMode="email"
              enterKeyHint="send"
              maxLength={EMAIL_MAX_LENGTH}
              aria-describedby={NOTE}
              aria-invalid={invalid}
              // Room for the last line of the label, however large the browser makes it.
              pt="calc(1lh + 2px)"
              size={{ base: 'md', '2xl': 'lg' }}
              css={{ '&:not([aria-invalid=true])': { borderColor: 'transparent', bg: 'bg.panel' } }}
              onInput={() => setInvalid(false)}
            />
          </Field.Root>
          <Button
            type="submit"
            size={{ base: 'md', '2xl': 'lg' }}
            flexShrink={0}
            maxW={{ base: 'full', sm: '50%' }}
            aria-busy={busy}
            aria-disabled={busy}
          >
            {TEXT.subscribe}
          </Button>
        </Flex>
      </chakra.form>
      <Stack align="center" gap="0" mt="calc(-1 * var(--gap))" w={WIDTH} h="calc(var(--gap) + 3rem)">
        <Box
          alignSelf="stretch"
          minH="calc(var(--gap) + 0.25rem)"
          flexShrink={0}
          pt="1"
          pb="0.5"
          // From where the field begins.
          ps="1.5"
          textAlign="start"
          fontSize={{ base: 'sm', '2xl': 'lg' }}
          fontWeight="bold"
          textShadow="0 0 0.5rem {colors.picture.solid}"
        >
          <Text id={NOTE} data-error-of="subscribe" color="picture.error" suppressHydrationWarning>
            {invalid ? VALIDATION_TEXT.invalidEmail : ''}
          </Text>
          <FormStatus form="subscribe" busy={busy} />
        </Box>
        {children}
      </Stack>
    </>
  )
}
