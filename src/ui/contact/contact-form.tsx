import { Button, chakra, Flex, Spinner } from '@chakra-ui/react'
import { ENQUIRY_RESULTS } from '../../domain/contact-form.ts'
import { FIELD_NAMES } from '../../domain/enquiry-fields.ts'
import { TEXT } from '../../domain/texts.ts'
import { CLOSES_DIALOG } from '../../page-marks.ts'
import { FormStatus, takeFocus } from '../form-status.tsx'
import { Icon } from '../icons.tsx'
import { Links } from '../links.tsx'
import { TextField } from './text-field.tsx'
import { useContactForm } from './use-contact-form.ts'

const STATUS_ID = 'contact-status'

const Form = chakra('form', {
  base: {
    display: 'grid',
    columnGap: '4',
    rowGap: '2',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
    // Only the names share a row.
    '& > :nth-of-type(n + 3)': { gridColumn: '1 / -1' },
  },
})

const spinner = {
  '--spinner-track-color': 'colors.bg.emphasized',
  animationDuration: '1s',
  _motionReduce: { animation: 'none' },
}

/** The form announces it. */
const SENDING = (
  <Flex align="center" gap="4" aria-hidden="true">
    <Spinner boxSize="50px" borderWidth="5px" color="colorPalette.solid" css={spinner} />
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
  const action = received ? (
    <Button {...CLOSES_DIALOG.props}>{TEXT.close}</Button>
  ) : (
    <Button ref={takeFocus} aria-describedby={STATUS_ID} onClick={tryAgain}>
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
      <Flex wrap="wrap" align={{ sm: 'center' }} gap="4">
        {/* The button is not `disabled`, so that it keeps the focus. */}
        <Button type="submit" aria-describedby={STATUS_ID} aria-disabled={!idle} data-disabled={idle ? undefined : ''}>
          <Icon name="envelope" />
          {TEXT.submit}
        </Button>
        <FormStatus
          textId={STATUS_ID}
          hint={TEXT.enquiryUse}
          sending={sending}
          progress={SENDING}
          // The thanks get the focus themselves: at Close, a second Enter would close the dialog before they are read.
          outcome={
            state.status === 'answered' ? { ...ENQUIRY_RESULTS[state.answer], takesFocus: received, action } : null
          }
          {...(error && { announcement })}
          flex="1 1 22rem"
          color="fg.muted"
          alignItems="center"
          // As high as an outcome of three or two lines, so that Submit stays where it is.
          minH={{ sm: '5.25rem', lg: '3.875rem', '2xl': '6.25rem' }}
        />
      </Flex>
      <Links />
    </Form>
  )
}
