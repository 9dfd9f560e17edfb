import { Button, chakra } from '@chakra-ui/react'
import { type FormEvent, type RefObject, useState } from 'react'
import { EMAIL_MAX_LENGTH } from '../domain/email.ts'
import { CLEARS_INPUT, NOTIFICATIONS, subscribe } from '../domain/subscription.ts'
import { Input } from './inputs.ts'
import { usePorts } from './ports-context.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

const Form = chakra('form', {
  base: {
    display: 'flex',
    flexDirection: { base: 'column', sm: 'row' },
    gap: '0.5rem',
    width: 'min(28rem, 100%)',
  },
})

/** The input is uncontrolled: what was typed before the app arrived stays, and is read when it is sent. */
export function SubscribeForm({ emailRef }: { emailRef: RefObject<HTMLInputElement | null> }) {
  const { backend, notifications } = usePorts()
  const { busy, run } = useOneAtATime()
  const [invalid, setInvalid] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const input = emailRef.current
    if (!input) return
    await run(async () => {
      const typed = input.value
      const outcome = await subscribe(backend, typed)
      const notification = NOTIFICATIONS[outcome]
      if (notification) notifications.show(notification)
      if (CLEARS_INPUT[outcome] && input.value === typed) input.value = ''
      setInvalid(outcome === 'invalid-email')
      if (outcome === 'invalid-email') input.focus()
    })
  }

  return (
    // Method 'dialog' outside a dialog does nothing: without scripts no address ends up in a URL.
    <Form method="dialog" noValidate onSubmit={submit}>
      <Input
        ref={emailRef}
        type="email"
        name="email"
        aria-label="Email"
        aria-invalid={invalid}
        placeholder="Enter your email"
        autoComplete="email"
        enterKeyHint="send"
        maxLength={EMAIL_MAX_LENGTH}
        onChange={() => setInvalid(false)}
      />
      <Button type="submit" aria-busy={busy} aria-disabled={busy}>
        Subscribe
      </Button>
    </Form>
  )
}
