import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FIELD_NAMES, FIELDS, mapFields } from '../../src/domain/enquiry-fields.ts'
import type { EnquiryAnswer } from '../../src/domain/ports.ts'
import { ENQUIRY_TEXT, VALIDATION_TEXT } from '../../src/domain/texts.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { heldServices } from '../support/held-services.ts'

const ENQUIRY = anEnquiry()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The form in the open dialog. */
function open() {
  const { services, enquiries } = heldServices()
  const { contactForm, contactDialog, notifications } = services
  contactDialog.set(true)
  return { form: contactForm, dialog: contactDialog, enquiries, shown: notifications.current }
}

/** The form after an enquiry was sent, and got an answer. */
async function sent(answer?: EnquiryAnswer) {
  const opened = open()
  opened.form.submit(ENQUIRY)
  if (answer) await opened.enquiries.answer(answer)
  return opened
}

it('the errors come in the order of the fields, one at a time', () => {
  const { form, enquiries } = open()
  const typed = { ...mapFields(() => ''), email: 'plain' }
  const errors = FIELD_NAMES.filter((name) => FIELDS[name].errorIfEmpty).map((name) => {
    form.submit(typed)
    Object.assign(typed, { [name]: ENQUIRY[name] })
    return form.current()
  })
  expect(errors).toEqual([
    { status: 'invalid', error: { field: 'first', text: VALIDATION_TEXT.noFirst } },
    { status: 'invalid', error: { field: 'last', text: VALIDATION_TEXT.noLast } },
    { status: 'invalid', error: { field: 'email', text: VALIDATION_TEXT.invalidEmail } },
    { status: 'invalid', error: { field: 'message', text: VALIDATION_TEXT.noMessage } },
  ])
  expect(enquiries.sent).toEqual([])
})

it('an enquiry is sent trimmed and cleaned', () => {
  const { form, enquiries } = open()
  form.submit({ ...ENQUIRY, first: ' Given', email: '<visitor@example.com>' })
  expect(enquiries.sent).toEqual([ENQUIRY])
})

it.each([undefined, 'failed', 'received'] as const)(
  'a dialog that stays open sends one enquiry (answer so far: %s)',
  async (answer) => {
    const { form, enquiries } = await sent(answer)
    for (const _press of [1, 2]) form.submit(ENQUIRY)
    expect(enquiries.sent).toEqual([ENQUIRY])
  },
)

it.each([
  ['received', { severity: 'success', detail: ENQUIRY_TEXT.received.detail, accepted: true }],
  ['declined', { severity: 'error', formText: ENQUIRY_TEXT.failed.formText, accepted: false }],
  ['failed', { severity: 'error', formText: ENQUIRY_TEXT.failed.formText, accepted: false }],
] as const)(
  'a dialog that fades out still shows a %s enquiry, and there is no notification',
  async (answer, outcome) => {
    const { form, dialog, shown } = await sent(answer)
    dialog.set(false)
    vi.advanceTimersByTime(0)
    expect(form.current()).toMatchObject({ status: 'answered', outcome })
    expect(shown()).toBeNull()
  },
)

it.each([
  ['received', { severity: 'success', life: 3000, closable: false, ...ENQUIRY_TEXT.received }],
  ['declined', { severity: 'error', life: 'sticky', closable: true, ...ENQUIRY_TEXT.failed }],
  ['failed', { severity: 'error', life: 'sticky', closable: true, ...ENQUIRY_TEXT.failed }],
] as const)('once the dialog is closed, a notification reports a %s enquiry', async (answer, notification) => {
  const { dialog, enquiries, shown } = await sent()
  dialog.set(false)
  await enquiries.answer(answer)
  expect(shown()).toMatchObject(notification)
})

it('a new attempt to send an enquiry closes an open notification', () => {
  const { form, dialog, shown } = open()
  dialog.set(false)
  form.submit({ ...ENQUIRY, first: '' })
  form.submit(ENQUIRY)
  expect(shown()).toBeNull()
})

it('a submit with an error after the dialog was closed is reported by a notification', () => {
  const { form, dialog, shown } = open()
  dialog.set(false)
  form.submit({ ...ENQUIRY, first: '' })
  expect([form.current(), shown()]).toMatchObject([{ status: 'idle' }, ENQUIRY_TEXT.failed])
})

it('when the dialog opens again while a call runs, the form is still sending', async () => {
  const { form, dialog } = await sent()
  for (const isOpen of [false, true]) dialog.set(isOpen)
  expect(form.current().status).toBe('sending')
})

it('an error stays when the dialog closes and opens again', () => {
  const { form, dialog } = open()
  form.submit({ ...ENQUIRY, last: '' })
  for (const isOpen of [false, true]) dialog.set(isOpen)
  expect(form.current()).toMatchObject({ status: 'invalid', error: { field: 'last' } })
})

it("'Try again' closes and reopens the dialog, and sends the current text", async () => {
  const { form, dialog, enquiries } = await sent('failed')
  const changes: boolean[] = []
  dialog.onChange((isOpen) => changes.push(isOpen))
  form.tryAgain({ ...ENQUIRY, last: 'Family-Name' })
  expect(changes).toEqual([false, true])
  expect(enquiries.sent).toEqual([ENQUIRY, { ...ENQUIRY, last: 'Family-Name' }])
})
