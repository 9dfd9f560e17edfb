import { Box, Button, chakra, Flex } from '@chakra-ui/react'
import { ENQUIRY_RESULTS } from '../../domain/contact-form.ts'
import { FIELD_NAMES } from '../../domain/enquiry-fields.ts'
import { TEXT } from '../../domain/texts.ts'
import { FormStatus } from '../form-status.tsx'
import { Icon } from '../icons.tsx'
import { Links } from '../links.tsx'
import { takeFocus } from '../outcome.tsx'
import { RING } from '../theme/recipes.ts'
import { TextField } from './text-field.tsx'
import { useContactForm } from './use-contact-form.ts'

const [HINT_ID, OUTCOME_ID] = ['contact-hint', 'contact-outcome']

const Form = chakra('form', {
  base: {
    display: 'grid',
    columnGap: '4',
    rowGap: { base: 'clamp(8px, 3svh - 12px, 12px)', sm: '3' },
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
    // Only the names share a row.
    '& > *': { gridColumn: '1 / -1' },
    '& > :has([name=first], [name=last])': { gridColumn: 'auto' },
  },
})

/** The form announces it. */
const SENDING = (
  <Flex align="center" gap="4" aria-hidden="true">
    <Box css={RING} boxSize="50px" borderWidth="5px" color="colorPalette.solid" _motionReduce={{ animation: 'none' }} />
    {TEXT.sending}
  </Flex>
)

/** The contact form. Its fields are uncontrolled and stay in the page, so that closing the dialog keeps typed texts. */
export function ContactForm() {
  const { state, announcement, form, submit, tryAgain } = useContactForm()
  const idle = state.status === 'idle'
  const sending = state.status === 'sending'
  const error = idle ? state.error : null
  const received = state.status === 'answered' && state.answer === 'received'
  // After thanks nothing is left to do: the dialog has its Close, and a second of that name would be a riddle.
  const action = !received && (
    <Button ref={takeFocus} aria-describedby={OUTCOME_ID} onClick={tryAgain}>
      {TEXT.tryAgain}
    </Button>
  )
  return (
    <Form ref={form} name="contact" noValidate aria-invalid={false} onSubmit={submit}>
      {FIELD_NAMES.map((name) => (
        <TextField
          key={name}
          name={name}
          readOnly={sending || received}
          error={error?.field === name ? error.text : null}
        />
      ))}
      <Flex wrap={{ base: 'wrap', md: 'nowrap' }} align={{ md: 'center' }} gap="4">
        {/* The button is not `disabled`, so that it keeps the focus. */}
        <Button type="submit" aria-describedby={HINT_ID} aria-disabled={!idle} data-disabled={idle ? undefined : ''}>
          <Icon name="envelope" />
          {TEXT.submit}
        </Button>
        <FormStatus
          hintId={HINT_ID}
          hint={TEXT.enquiryUse}
          outcomeId={OUTCOME_ID}
          sending={sending}
          progress={SENDING}
          outcome={
            state.status === 'answered' ? { ...ENQUIRY_RESULTS[state.answer], takesFocus: received, action } : null
          }
          {...(error && { announcement })}
          // Beside Submit where there is room, and as high as an outcome there, so that Submit stays where it is.
          flex={{ base: '1 1 100%', md: '1 1 0' }}
          minH={{ md: '5.25rem', lg: '3.875rem', '2xl': '4.5rem' }}
          alignItems={{ base: 'start', md: 'center' }}
          color="fg.muted"
          whiteSpace={{ lg: 'pre-line' }}
        />
      </Flex>
      <Links />
    </Form>
  )
}
