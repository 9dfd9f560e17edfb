import { screen, within } from '@testing-library/react'
import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField, mapFields, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import { TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'
import { animationsFinished } from './page-states.ts'

export const subscription = {
  input: () => screen.getByPlaceholderText<HTMLInputElement>(TEXT.emailPlaceholder),
  button: () => screen.getByRole('button', { name: TEXT.subscribe }),
  form: () => within(document.forms.namedItem('subscribe') ?? document.body),
  async send(typed = 'ada@example.com') {
    await userEvent.fill(subscription.input(), typed)
    await userEvent.click(subscription.button())
  },
}

/** Types a text, chooses the option with this value, or ticks a checkbox, whose value is 'on'. */
async function fill(field: HTMLInputElement, value: string): Promise<void> {
  if (field.localName === 'select') await userEvent.selectOptions(field, value)
  else if (field.type !== 'checkbox') await userEvent.fill(field, value)
  // The input of a checkbox is hidden: its label is pressed.
  else if (currentValue(field) !== value) await userEvent.click(field.labels?.[0] ?? field)
}

const currentValue = (field: HTMLInputElement) => (field.type === 'checkbox' && !field.checked ? '' : field.value)

const dialog = () => within(screen.getByRole('dialog'))

export const contact = {
  opener: () => screen.getByRole('button', { name: TEXT.contactUs }),
  title: () => dialog().getByRole('heading'),
  /** The input, textarea or select with the label of this field. */
  field: (name: EnquiryField) => dialog().getByLabelText<HTMLInputElement>(TEXT[name]),
  submit: () => dialog().getByRole('button', { name: TEXT.submit }),
  /** The Close button of the dialog itself, not of a notification in it. */
  closeIcon: () => dialog().getByRole('button', { name: TEXT.close, description: TEXT.contactUs }),
  /** Opens the dialog, and waits until it stands still and has the focus. */
  async open() {
    await userEvent.click(contact.opener())
    await expect.poll(() => screen.queryByRole('dialog')?.contains(document.activeElement)).toBe(true)
    await animationsFinished()
    return screen.getByRole('dialog')
  },
  /** Closes the dialog by Escape, and waits until the focus is back. */
  async close() {
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.activeElement).toBe(contact.opener())
  },
  async fillIn(enquiry: TypedEnquiry = anEnquiry()) {
    for (const name of ENQUIRY_FIELDS) await fill(contact.field(name), enquiry[name] ?? '')
  },
  text: () => mapFields((name) => currentValue(contact.field(name))),
}

export const notification = {
  /** All notifications on the page, except notifications that are disappearing. */
  all: () => [...document.querySelectorAll<HTMLElement>('#notifications [data-severity]:not([inert])')],
  only() {
    const [single, ...surplus] = notification.all()
    if (!single || surplus.length > 0) throw new Error(`Expected one notification, found ${notification.all().length}.`)
    return single
  },
  close: () => within(notification.only()).getByRole('button', { name: TEXT.close }),
}
