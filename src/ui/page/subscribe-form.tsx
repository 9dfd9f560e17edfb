import { Button, chakra, Field, Flex, Input } from '@chakra-ui/react'
import { clearsInput, NOTIFICATIONS, notificationOf } from '../../domain/subscription.ts'
import { TEXT } from '../../domain/texts.ts'
import { EMAIL_INPUT } from '../email-input.ts'
import { FormStatus } from '../form-status.tsx'
import { Outcome, OutcomeRoom } from '../outcome.tsx'
import { useSubscribeForm } from './use-subscribe-form.ts'

const ERROR_ID = 'email-error'
const USE_ID = 'email-use'

/** An address that takes as many lines as most others: two on a phone, one elsewhere. */
const LONG_ADDRESS = 'forename.of.a.visitor@example.com'

// React renders an element of a module only once.
const OUTCOME_ROOMS = Object.entries(NOTIFICATIONS).map(
  ([outcome, it]) => it && <OutcomeRoom key={outcome} address={LONG_ADDRESS} text={it.detail} />,
)

/** The form to subscribe. Its input is uncontrolled: a text typed before the app ran stays, and is sent. */
export function SubscribeForm() {
  const { state, input, isDescribed, submit, changed, left } = useSubscribeForm()
  const busy = state.status === 'submitting'
  const invalid = state.status === 'rejected'
  const told = state.status === 'answered' && notificationOf(state.answer)
  return (
    <chakra.form
      name="subscribe"
      // Outside a dialog this method does nothing: without scripts no address ends up in a URL.
      method="dialog"
      noValidate
      // Otherwise Firefox calls the form invalid while a required field is empty, and a screen reader says so.
      aria-invalid={false}
      w={{ base: 'min(32rem, 100%)', '2xl': '44rem' }}
      onSubmit={submit}
    >
      {/* Field and button stand on one panel, so that they look like one control. */}
      <Flex
        direction={{ base: 'column', sm: 'row' }}
        gap="1.5"
        p="1.5"
        color="fg"
        bg="bg.panel"
        borderRadius="l3"
        boxShadow="0 0 0 1px #ffffffa6"
      >
        {/* Around nothing else: other fields would take its id. */}
        <Field.Root id="email" role="none" invalid={invalid} required display="block" flex="1">
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
            aria-describedby={(isDescribed && (invalid ? ERROR_ID : TEXT.emailUse && USE_ID)) || undefined}
            // Room for the last line of the label, however large the browser makes it.
            pt="calc(var(--line) + 2px)"
            display="block"
            fontSize={{ base: 'md', '2xl': 'xl' }}
            css={{ '&:not([aria-invalid=true])': { borderColor: 'transparent', bg: 'bg.panel' } }}
            onInput={changed}
            onBlur={left}
          />
        </Field.Root>
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
      <FormStatus
        busy={busy}
        use={{ id: USE_ID, text: TEXT.emailUse }}
        mt="2"
        mb="-2"
        alignItems="start"
        textAlign="center"
        fontSize={{ '2xl': 'xl' }}
      >
        {OUTCOME_ROOMS}
        {/* The notification announces what has become of the address. */}
        {state.status === 'rejected' && (
          <Outcome id={ERROR_ID} severity="error" textAlign="center">
            {state.error}
          </Outcome>
        )}
        {state.status === 'answered' && told && (
          <Outcome
            severity={told.severity}
            textAlign="center"
            address={clearsInput(state.answer) ? state.email : undefined}
          >
            {told.detail}
          </Outcome>
        )}
      </FormStatus>
    </chakra.form>
  )
}
