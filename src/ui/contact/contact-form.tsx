import { Button, chakra, Flex } from '@chakra-ui/react'
import { type FormEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type Enquiry, FIELD_NAMES, mapFields } from '../../domain/enquiry-fields.ts'
import type { FormState } from '../../domain/form-state.ts'
import { TEXT } from '../../domain/texts.ts'
import { FIELD_ID_PREFIX } from '../../element-names.ts'
import { FormStatus } from '../forms/form-status.tsx'
import { Icon } from '../icons.tsx'
import { Links } from '../links.tsx'
import { useObservable, useServices } from '../services.ts'
import { ContactOutcome, RING_SIZE, SENDING } from './contact-status.tsx'
import { TextField } from './text-field.tsx'

const HINT_ID = 'contact-hint'

const Form = chakra('form', {
  base: {
    display: 'grid',
    columnGap: '4',
    rowGap: { base: 'clamp(6px, 3svh - 12px, 12px)', sm: '3' },
    gridTemplateColumns: { base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
    // Only the names share a row.
    '& > *': { gridColumn: '1 / -1' },
    '& > :has([name=first], [name=last])': { gridColumn: 'auto' },
  },
})

/** The contact form. Its fields are uncontrolled and stay in the page, so that closing the dialog keeps typed texts. */
export function ContactForm() {
  const { contactForm, links } = useServices()
  const state = useObservable(contactForm)
  const form = useRef<HTMLFormElement>(null)
  const announcement = useErrorAtField(state, form)
  const sending = state.status === 'sending'
  const error = state.status === 'invalid' ? state.error : null
  const outcome = state.status === 'answered' ? state.outcome : null
  const arrived = outcome?.arrived ?? false
  const canSubmit = !sending && !outcome

  function submit(event: FormEvent) {
    event.preventDefault()
    // After a failure Enter in a field tries again. A press of Submit moves the focus to Submit, and does nothing.
    if (outcome && !arrived && document.activeElement instanceof HTMLInputElement) tryAgain()
    else contactForm.submit(textsOf(form.current))
  }

  function tryAgain() {
    contactForm.tryAgain(textsOf(form.current))
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }

  // The text stays in the fields beside the thanks. The fields are emptied when the thanks end.
  useLayoutEffect(() => (arrived ? () => form.current?.reset() : undefined), [arrived])

  return (
    <Form ref={form} name="contact" noValidate aria-invalid={false} onSubmit={submit}>
      {FIELD_NAMES.map((name) => (
        <TextField
          key={name}
          name={name}
          readOnly={sending || arrived}
          error={error?.field === name ? error.text : null}
        />
      ))}
      <Flex wrap="wrap" align="start" gap="4">
        {/* The button is not `disabled`, so that it keeps the focus. */}
        <Button
          type="submit"
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
          progress={SENDING}
          outcome={outcome && <ContactOutcome outcome={outcome} tryAgain={tryAgain} />}
          announcement={announcement}
          // Beside Submit where there is room for it.
          flex={{ base: '1 1 100%', md: '1 1 20rem' }}
          minH={RING_SIZE}
          css={{ [`& #${HINT_ID}`]: { display: 'grid', alignContent: 'center', minH: { md: '10' } } }}
          color="fg.muted"
          whiteSpace={{ lg: 'pre-line' }}
        />
      </Flex>
      <Links links={links} />
    </Form>
  )
}

/** The typed texts. Extensions may add empty fields of the same name. */
function textsOf(form: HTMLFormElement | null): Enquiry {
  const data = new FormData(form ?? undefined)
  return mapFields((name) => `${data.getAll(name).find(Boolean) ?? ''}`)
}

/**
 * Moves the focus to an invalid field, whose description is the error. If the field has the focus already, no screen
 * reader reads it: then the returned text is to be announced.
 */
function useErrorAtField(state: FormState, form: RefObject<HTMLFormElement | null>): string {
  const [announcement, setAnnouncement] = useState('')
  useLayoutEffect(() => {
    if (state.status !== 'invalid') return
    const { field: name, text } = state.error
    const field = form.current?.querySelector<HTMLElement>(`[name=${name}][id^=${FIELD_ID_PREFIX}]`)
    const hasFocus = field === document.activeElement
    // Each attempt makes a new state, so this runs for each. A live region that gets the same text again stays silent.
    setAnnouncement((last) => (hasFocus ? text + (last === text ? '\u00A0' : '') : ''))
    field?.focus()
  }, [state, form])
  return state.status === 'invalid' ? announcement : ''
}
