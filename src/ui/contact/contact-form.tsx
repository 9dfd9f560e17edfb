import { Button, chakra } from '@chakra-ui/react'
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type Enquiry, FIELD_NAMES, mapFields } from '../../domain/enquiry-fields.ts'
import type { FormState } from '../../domain/form-state.ts'
import { TEXT } from '../../domain/texts.ts'
import { FIELD_ID_PREFIX } from '../../element-names.ts'
import { FormStatus } from '../forms/form-status.tsx'
import { Icon } from '../icons.tsx'
import { Links } from '../links.tsx'
import { useObservable, useServices } from '../services.ts'
import { ContactOutcome, SENDING_SPINNER, SPINNER_SIZE } from './contact-status.tsx'
import { TextField } from './text-field.tsx'

const HINT_ID = 'contact-hint'

/** On a phone, the space between the fields, and above and below the content of the dialog. A low screen has less. */
export const PHONE_SPACE = 'clamp(6px, 3svh - 12px, 16px)'

/** The height of the status: the spinner or two lines in a box. */
const STATUS_HEIGHT = `max(${SPINNER_SIZE}, 2.8em + {spacing.4})`
/** On a phone, the status has room for an outcome of three lines, if the screen is higher than the rest of the dialog. */
const STATUS_HEIGHT_ON_PHONE = `max(${STATUS_HEIGHT}, min(4.2em + {spacing.4}, 100svh - 36.5rem))`

/** Submit and the status. If they are in one row, their middles have the same height, also with an outcome of two lines. */
const LastRow = chakra('div', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'start',
    gap: { base: '4', md: '3' },
    '& > button': { mt: { md: `calc((${STATUS_HEIGHT} - {sizes.10}) / 2)` } },
  },
})

const Form = chakra('form', {
  base: {
    display: 'grid',
    columnGap: '4',
    rowGap: { base: PHONE_SPACE, sm: 'clamp(6px, 4svh - 8px, {spacing.4})' },
    // Two columns, or one if a column would be too narrow for its text. There are never three.
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, max(14rem, 34%)), 1fr))',
    // First and last name are side by side. All else has a row of its own.
    '& > *': { gridColumn: '1 / -1' },
    '& > :has([name=first], [name=last])': { gridColumn: 'auto' },
  },
})

/** The contact form. Its fields are uncontrolled and always in the page, so typed text stays when the dialog closes. */
export function ContactForm() {
  const { contactForm, links } = useServices()
  const state = useObservable(contactForm)
  const form = useRef<HTMLFormElement>(null)
  const announcement = useFocusOnError(state, form)
  const sending = state.status === 'sending'
  const error = state.status === 'invalid' ? state.error : null
  const outcome = state.status === 'answered' ? state.outcome : null
  const accepted = outcome?.accepted ?? false
  const canSubmit = !sending && !outcome

  function submit(event: FormEvent) {
    event.preventDefault()
    // After a failure, Enter in a field does the same as 'Try again', which closes and opens the dialog. Submit sends
    // nothing then, because each opening of the dialog allows one enquiry.
    if (outcome && !accepted && document.activeElement instanceof HTMLInputElement) tryAgain()
    else contactForm.submit(textsOf(form.current))
  }

  function tryAgain() {
    contactForm.tryAgain(textsOf(form.current))
    // Move the focus in the same tick in which the dialog closes and opens: see `tryAgain` of the domain.
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }

  // The fields keep their text while the thanks are shown, and are emptied when the thanks disappear.
  useLayoutEffect(() => (accepted ? () => form.current?.reset() : undefined), [accepted])

  return (
    <Form ref={form} name="contact" noValidate aria-invalid={false} onSubmit={submit}>
      {FIELD_NAMES.map((name) => (
        <TextField
          key={name}
          name={name}
          readOnly={sending || accepted}
          error={error?.field === name ? error.text : null}
        />
      ))}
      <LastRow>
        {/* The attribute `disabled` would take the focus from the button. */}
        <Button
          type="submit"
          // If the form was submitted before the app runs, the boot script has set `aria-busy` on this button.
          suppressHydrationWarning
          aria-describedby={HINT_ID}
          aria-disabled={!canSubmit}
          data-disabled={canSubmit ? undefined : ''}
        >
          <Icon name="envelope" />
          {TEXT.submit}
        </Button>
        <FormStatus
          hint={TEXT.enquiryUse}
          hintId={HINT_ID}
          sending={sending}
          progress={SENDING_SPINNER}
          outcome={outcome && <ContactOutcome outcome={outcome} tryAgain={tryAgain} />}
          announcement={announcement}
          // The status is beside Submit if the screen is wide enough.
          flex={{ base: '1 1 100%', md: '1 1 20rem' }}
          minH={{ base: STATUS_HEIGHT_ON_PHONE, sm: STATUS_HEIGHT }}
          alignState={{ base: 'start', md: 'center' }}
          color="fg.muted"
          whiteSpace={{ lg: 'pre-line' }}
        />
      </LastRow>
      <Links links={links} />
    </Form>
  )
}

/** Returns the typed texts. Extensions may add empty fields of the same name, so an empty text does not count. */
function textsOf(form: HTMLFormElement | null): Enquiry {
  const data = new FormData(form ?? undefined)
  return mapFields((name) => `${data.getAll(name).find(Boolean) ?? ''}`)
}

/**
 * Moves the focus to an invalid field. Screen readers then read the error, which is the description of the field. If
 * the field has the focus already, some of them read nothing: for this case the hook returns the error, which has to be
 * announced.
 */
function useFocusOnError(state: FormState, form: RefObject<HTMLFormElement | null>): string {
  const [announcement, setAnnouncement] = useState('')
  useLayoutEffect(() => {
    if (state.status !== 'invalid') return
    const { field: name, text } = state.error
    const field = form.current?.querySelector<HTMLElement>(`[name=${name}][id^=${FIELD_ID_PREFIX}]`)
    const hasFocus = field === document.activeElement
    // Each attempt makes a new state, so this effect runs each time. A live region announces only a text that differs
    // from the last one: the added space makes an equal error different.
    setAnnouncement((last) => (hasFocus ? text + (last === text ? '\u00A0' : '') : ''))
    field?.focus()
  }, [state, form])
  return state.status === 'invalid' ? announcement : ''
}
