import { Button, chakra } from '@chakra-ui/react'
import { type FormEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import { WORDS } from '../domain/brand.ts'
import { EMAIL_MAX_LENGTH } from '../domain/email.ts'
import { type SentSubscription, subscribe } from '../domain/subscription.ts'
import { Input } from './inputs.ts'
import { usePorts } from './ports-context.ts'
import { tell } from './tell.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

/** Field and button on one panel: they read as one thing. */
const Form = chakra('form', {
  base: {
    display: 'flex',
    flexDirection: { base: 'column', sm: 'row' },
    gap: '0.375rem',
    position: 'relative',
    width: 'min(32rem, 100%)',
    padding: '0.375rem',
    background: 'panel',
    borderRadius: '1rem',
    boxShadow: '0 0 0 1px #ffffff33, 0 0.75rem 2.5rem #03121f99',
  },
})

/** The input is uncontrolled: what was typed before the app arrived stays, and is read when it is sent. */
export function SubscribeForm({ emailRef }: { emailRef: RefObject<HTMLInputElement | null> }) {
  const { backend, notifications, sentEarly } = usePorts()
  const { busy, run } = useOneAtATime()
  const [invalid, setInvalid] = useState(false)

  const finish = useCallback(
    async ({ typed, outcome }: SentSubscription) => {
      const told = await outcome
      setInvalid(told === 'invalid-email')
      if (emailRef.current) tell(told, typed, emailRef.current, notifications)
    },
    [emailRef, notifications],
  )

  useEffect(() => {
    sentEarly.then((sent) => sent && run(() => finish(sent)))
  }, [sentEarly, run, finish])

  function submit(event: FormEvent) {
    event.preventDefault()
    const typed = emailRef.current?.value ?? ''
    run(() => finish({ typed, outcome: subscribe(backend, typed) }))
  }

  return (
    // Method 'dialog' outside a dialog does nothing: without scripts no address ends up in a URL.
    <Form method="dialog" noValidate onSubmit={submit}>
      <Input
        ref={emailRef}
        type="email"
        name="email"
        aria-label={WORDS.email}
        aria-invalid={invalid}
        placeholder={WORDS.emailPlaceholder}
        borderColor="transparent"
        autoComplete="email"
        inputMode="email"
        enterKeyHint="send"
        maxLength={EMAIL_MAX_LENGTH}
        onChange={() => setInvalid(false)}
      />
      <Button type="submit" aria-busy={busy} aria-disabled={busy}>
        {WORDS.subscribe}
      </Button>
    </Form>
  )
}
