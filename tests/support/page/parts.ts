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

const dialog = () => within(screen.getByRole('dialog'))

export const contact = {
  opener: () => screen.getByRole('button', { name: TEXT.contactUs }),
  title: () => dialog().getByRole('heading'),
  field: (name: EnquiryField) => dialog().getByPlaceholderText<HTMLInputElement | HTMLTextAreaElement>(TEXT[name]),
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
    for (const name of ENQUIRY_FIELDS) await userEvent.fill(contact.field(name), enquiry[name])
  },
  text: () => mapFields((name) => contact.field(name).value),
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
