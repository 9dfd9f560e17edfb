import { Button, chakra, Field, Input, type SystemStyleObject } from '@chakra-ui/react'
import { outcomeOf } from '../../domain/subscription.ts'
import { TEXT } from '../../domain/texts.ts'
import { EMAIL_ID, EMAIL_INPUT } from '../email-input.ts'
import { FormStatus } from '../form-status.tsx'
import { COLUMN } from './scene.ts'
import { useSubscribeForm } from './use-subscribe-form.ts'

const [HINT_ID, OUTCOME_ID] = ['email-hint', 'email-outcome']

/** From the edge of a field or card to its text. */
const INSET = 'min({spacing.5}, 5.5vw)'
const BORDERED_INSET = `calc(${INSET} - 1px)`

const Form = chakra('form', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto' },
    gap: '2',
    maxW: COLUMN,
    mt: 'clamp(12px, 5svh - 5px, 40px)',
    '& [type=submit]': { minH: { base: '14', sm: '16' }, minW: { sm: '40' }, borderRadius: 'l3' },
  },
})

/** Label and text in one field. The last line of the label lies on the input. */
const field: SystemStyleObject = {
  gap: 0,
  color: 'fg',
  bg: 'bg.panel',
  borderRadius: 'l3',
  '& label': { zIndex: 1, px: INSET, pt: '2.5', mb: 'calc(-1.25em - {spacing.2.5})', lineHeight: 1.25 },
  '& input': { minH: '16', px: BORDERED_INSET, pt: '7', borderRadius: 'l3', _readOnly: { bg: 'bg.panel' } },
  // In dark colours the field is as dark as the water.
  '& input:not([aria-invalid=true])': { borderColor: { base: 'transparent', _dark: 'hero.border' } },
}

/** An outcome is a card of its own, near the field, which grows down into free water. */
const card = { mt: '-2', px: BORDERED_INSET, py: '15px', color: 'fg', borderColor: 'transparent', borderRadius: 'l3' }

/** The form to subscribe. Its input is uncontrolled: a text typed before the app ran stays, and is sent. */
export function SubscribeForm() {
  const { state, input, submit } = useSubscribeForm()
  const sending = state.status === 'sending'
  const invalid = state.status === 'invalid'
  return (
    <Form
      name="subscribe"
      noValidate
      // Otherwise Firefox calls the form invalid while a required field is empty, and a screen reader says so.
      aria-invalid={false}
      onSubmit={submit}
    >
      <Field.Root id={EMAIL_ID} role="none" invalid={invalid} readOnly={sending} required css={field}>
        <Field.Label>{TEXT.email}</Field.Label>
        <Input
          ref={input}
          {...EMAIL_INPUT}
          name="email"
          dir="auto"
          placeholder={TEXT.emailPlaceholder}
          enterKeyHint="send"
          aria-invalid={invalid}
          // Only an error changes it: readers say what changes, and the notification has told of an outcome.
          aria-describedby={invalid ? OUTCOME_ID : HINT_ID}
        />
      </Field.Root>
      <Button type="submit" aria-busy={sending} aria-disabled={sending}>
        {TEXT.subscribe}
      </Button>
      <FormStatus
        hintId={HINT_ID}
        hint={TEXT.emailUse}
        outcomeId={OUTCOME_ID}
        sending={sending}
        outcome={outcomeOf(state)}
        outcomeStyle={card}
        gridColumn="1 / -1"
        mt="2"
        whiteSpace={{ sm: 'pre-line' }}
      />
    </Form>
  )
}
