import { Button, chakra, Field, Input, type SystemStyleObject } from '@chakra-ui/react'
import { type ComponentProps, type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FormState } from '../../domain/form-state.ts'
import { TEXT } from '../../domain/texts.ts'
import { EMAIL_FIELD_PROPS, markAsLastUsed } from '../forms/email-focus.ts'
import { EMAIL_INPUT_PROPS } from '../forms/email-input.ts'
import { FormStatus } from '../forms/form-status.tsx'
import { OutcomeBox } from '../forms/outcome-box.tsx'
import { useObservable, useServices } from '../services.ts'

// If the size of the text is limited, so are these lengths.
const FIELD_HEIGHT = 'min(4rem, 4em)'
const SPACE_ABOVE_LABEL = 'min(0.625rem, 0.72em)'

/** The space between the edge of the field or the outcome and its text, less the border. */
const BORDERED_INSET = 'calc({spacing.5} - 1px)'

const Form = chakra('form', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
    // The focus ring of the field needs this gap.
    gap: '3',
    '& [type=submit]': {
      minH: { base: 'min(3.5rem, 3.5em)', sm: FIELD_HEIGHT },
      minW: { sm: '40' },
      borderRadius: 'l3',
    },
  },
})

/** The label is inside the field: its last line lies on the input, above the typed text. */
const labelInField: SystemStyleObject = {
  gap: 0,
  color: 'fg',
  bg: 'bg.panel',
  borderRadius: 'l3',
  // After a quick answer this colour would only flash.
  '&[data-readonly]': { bg: 'bg.muted', transition: 'background 0s 0.3s' },
  '& label': {
    zIndex: 1,
    px: '5',
    pt: SPACE_ABOVE_LABEL,
    mb: `calc(-1.25em - ${SPACE_ABOVE_LABEL})`,
    lineHeight: 1.25,
  },
  '& input': {
    minH: FIELD_HEIGHT,
    px: BORDERED_INSET,
    pt: 'min(1.75rem, 1.75em)',
    borderRadius: 'l3',
    _readOnly: { bg: 'inherit' },
  },
  // In dark colours the field is as dark as the sea, so it needs a visible border.
  '& input:not([aria-invalid=true])': { borderColor: { base: 'transparent', _dark: 'hero.border' } },
}

/** The outcome looks like a card below the field. A longer outcome grows down, where nothing else is. */
const outcomeAsCard: SystemStyleObject = {
  '& [data-tone]': {
    mt: '-2',
    px: BORDERED_INSET,
    py: 'calc({spacing.4} - 1px)',
    gap: 'min({spacing.3}, 3vw)',
    color: 'fg',
    // In dark colours the box is as dark as the sea, so it needs a visible border.
    borderColor: { base: 'transparent', _dark: 'hero.border' },
    borderRadius: 'l3',
  },
}

/** A form to subscribe, with its own status. Its input is uncontrolled, so text that was typed early stays. */
export function SubscribeForm(props: ComponentProps<typeof Form>) {
  const [subscribeForm] = useState(useServices().newSubscribeForm)
  const state = useObservable(subscribeForm)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [hintId, outcomeId] = [`${id}-hint`, `${id}-outcome`]
  const sending = state.status === 'sending'
  const invalid = state.status === 'invalid'

  function submit(event: FormEvent) {
    event.preventDefault()
    markAsLastUsed(input.current)
    subscribeForm.submit(input.current?.value ?? '')
    // The form is still 'answered' if it was submitted empty after a success. Then move the focus to the field.
    if (subscribeForm.current().status === 'answered') input.current?.focus()
  }

  // Each attempt makes a new state, so an invalid field gets the focus after each. Its error is in the page by then.
  useLayoutEffect(() => {
    if (state.status === 'invalid') input.current?.focus()
    if (state.status === 'answered' && state.outcome.accepted && input.current) input.current.value = ''
  }, [state])

  return (
    <Form
      name="subscribe"
      noValidate
      // Otherwise Firefox reports the form as invalid while a required field is empty, and screen readers say so.
      aria-invalid={false}
      onSubmit={submit}
      onFocus={() => markAsLastUsed(input.current)}
      {...props}
    >
      <Field.Root id={id} role="none" invalid={invalid} readOnly={sending} required css={labelInField}>
        <Field.Label>{TEXT.email}</Field.Label>
        <Input
          ref={input}
          {...EMAIL_INPUT_PROPS}
          {...EMAIL_FIELD_PROPS}
          name="email"
          dir="auto"
          placeholder={TEXT.emailPlaceholder}
          enterKeyHint="send"
          aria-invalid={invalid}
          // Screen readers read a description when it changes. Only an error changes it, because a notification with
          // the outcome is read already.
          aria-describedby={invalid ? outcomeId : hintId}
        />
      </Field.Root>
      {/* A form that was submitted before the app runs is busy already (`aria-busy`). */}
      <Button type="submit" aria-busy={sending} aria-disabled={sending} suppressHydrationWarning>
        {TEXT.subscribe}
      </Button>
      <FormStatus
        hint={TEXT.emailUse}
        hintId={hintId}
        sending={sending}
        outcome={outcomeOf(state, outcomeId)}
        css={outcomeAsCard}
        gridColumn="1 / -1"
        mt="2"
        whiteSpace={{ sm: 'pre-line' }}
      />
    </Form>
  )
}

function outcomeOf(state: FormState, textId: string) {
  if (state.status === 'invalid') return <OutcomeBox severity="error" text={state.error.text} textId={textId} />
  if (state.status !== 'answered') return null
  const { severity, detail } = state.outcome
  return <OutcomeBox severity={severity} text={detail} textId={textId} address={state.address} />
}
