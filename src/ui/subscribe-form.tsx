import { chakra } from '@chakra-ui/react'
import { type FormEvent, type RefObject, useCallback, useEffect, useId } from 'react'
import { EMAIL_MAX_LENGTH } from '../domain/email.ts'
import { type SentSubscription, subscribe } from '../domain/subscription.ts'
import { TEXT, VALIDATION_TEXT } from '../domain/texts.ts'
import { Button } from './button.ts'
import { usePorts } from './ports-context.ts'
import { showOutcome } from './show-outcome.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

const Form = chakra('form', { base: { position: 'relative', width: 'min(32rem, 100%)' } })

/** Field and button on one panel: they read as one thing. */
const Panel = chakra('div', {
  base: {
    display: 'flex',
    flexDirection: { base: 'column', sm: 'row' },
    gap: '0.375rem',
    padding: '0.375rem',
    background: 'panel',
    borderRadius: '1rem',
    boxShadow: '0 0 0 1px #ffffffa6, 0 0.75rem 2.5rem color-mix(in srgb, {colors.deep} 60%, transparent)',
    '& input': { paddingTop: '1.625rem' },
    '& input:not([aria-invalid=true])': { borderColor: 'transparent' },
  },
})

/** In the field, above what is typed. */
const Label = chakra('label', {
  base: {
    position: 'absolute',
    top: '0.75rem',
    insetInlineStart: 'calc(1.25rem + 1px)',
    fontSize: '0.875rem',
    lineHeight: 1.3,
    color: 'muted',
  },
})

/** Stands in the gap below, so that nothing moves when a text comes and goes. */
const Note = chakra('div', {
  base: {
    minHeight: '1.5rem',
    margin: '0.25rem 0 -1.5rem',
    fontSize: '0.875rem',
    fontWeight: 700,
    textShadow: '0 0 0.5rem {colors.deep}',
  },
})

const Invalid = chakra('p', { base: { 'form:not(:has([aria-invalid=true])) &': { display: 'none' } } })

/** The input is uncontrolled: what was typed before the app arrived stays, and is read when it is sent. */
export function SubscribeForm({ emailRef }: { emailRef: RefObject<HTMLInputElement | null> }) {
  const { backend, notifications, sentEarly } = usePorts()
  const { busy, run } = useOneAtATime()
  const id = useId()

  const finish = useCallback(
    async ({ typed, outcome }: SentSubscription) => {
      const told = await outcome
      if (emailRef.current) showOutcome(told, typed, emailRef.current, notifications)
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
      <Panel>
        <Label htmlFor={id}>{TEXT.email}</Label>
        <input
          id={id}
          ref={emailRef}
          type="email"
          name="email"
          required
          dir="auto"
          placeholder={TEXT.emailPlaceholder}
          autoComplete="email"
          inputMode="email"
          enterKeyHint="send"
          maxLength={EMAIL_MAX_LENGTH}
        />
        <Button type="submit" aria-busy={busy} aria-disabled={busy}>
          {TEXT.subscribe}
        </Button>
      </Panel>
      <Note data-loading-place>
        <Invalid id={`${id}-note`}>{VALIDATION_TEXT.invalidEmail}</Invalid>
      </Note>
    </Form>
  )
}
