import { screen, within } from '@testing-library/react'
import { expect } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ENQUIRY_FIELDS, type EnquiryField, mapFields, type TypedEnquiry } from '../../../src/domain/enquiry.ts'
import { TEXT } from '../../../src/domain/texts.ts'
import { anEnquiry } from '../enquiries.ts'
import { animationsFinished } from './page-states.ts'

export const emailInput = () => screen.getByPlaceholderText<HTMLInputElement>(TEXT.emailPlaceholder)
export const subscribeButton = () => screen.getByRole('button', { name: TEXT.subscribe })
export const contactUs = () => screen.getByRole('button', { name: TEXT.contactUs })

/** What stands in the form to subscribe. */
export const subscribeForm = () => within(document.forms.namedItem('subscribe') ?? document.body)

export async function subscribeWith(typed = 'ada@example.com'): Promise<void> {
  await userEvent.fill(emailInput(), typed)
  await userEvent.click(subscribeButton())
}

const dialog = () => within(screen.getByRole('dialog'))

export const field = (name: EnquiryField) =>
  dialog().getByPlaceholderText<HTMLInputElement | HTMLTextAreaElement>(TEXT[name])

export const submitButton = () => dialog().getByRole('button', { name: TEXT.submit })

/** The dialog's own button to close it; a notification before it may have one too. */
export function closeIcon(): HTMLElement {
  const own = dialog().getAllByRole('button', { name: TEXT.close }).at(-1)
  if (!own) throw new Error('The dialog has no button to close it.')
  return own
}

/** Waits until the dialog stands and has the focus. */
export async function openDialog(): Promise<HTMLElement> {
  await userEvent.click(contactUs())
  await expect.poll(() => screen.queryByRole('dialog')?.contains(document.activeElement)).toBe(true)
  await animationsFinished()
  return screen.getByRole('dialog')
}

/** By Escape; waits until the dialog is gone and the focus is back. */
export async function closeDialog(): Promise<void> {
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await expect.poll(() => document.activeElement).toBe(contactUs())
}

export async function fillIn(enquiry: TypedEnquiry = anEnquiry()): Promise<void> {
  for (const name of ENQUIRY_FIELDS) await userEvent.fill(field(name), enquiry[name])
}

export const typedText = () => mapFields((name) => field(name).value)

/** The notifications on the page, wherever they are announced; not one that is seen going. */
export const shownNotifications = () => [
  ...document.querySelectorAll<HTMLElement>('[id^=notification-] > :not([inert])'),
]

/** The one notification on the page. */
export function shownNotification(): HTMLElement {
  const [only, ...others] = shownNotifications()
  if (!only || others.length > 0) throw new Error(`Expected one notification, found ${shownNotifications().length}.`)
  return only
}

/** Where these stand on the screen. */
export const places = (parts: readonly Element[]) =>
  parts.map((part) => {
    const { left, top, width, height } = part.getBoundingClientRect()
    return { left, top, width, height }
  })
