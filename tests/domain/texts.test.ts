import { expect, it } from 'vitest'
import { ENQUIRY_MESSAGES } from '../../src/domain/contact-form.ts'
import { AUTH_COOKIE } from '../../src/domain/cookies.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { DESCRIPTION, DIR, LANG, TEXT, TITLE, VALIDATION_TEXT } from '../../src/domain/texts.ts'

// The only test that spells the words: docs/behaviour.md, B2, B42, B61 and B62.
it('the page says what was specified, to the letter', () => {
  expect([LANG, DIR, TITLE, AUTH_COOKIE]).toEqual(['en', 'ltr', 'GWW Admin Panel', 'GWW_AUTH_COOKIE'])
  expect(DESCRIPTION).toBe('Launching soon. Leave your email address to be kept posted on upcoming features.')
  const { charactersLeft, lastMessage, ...words } = TEXT
  expect(words).toEqual({
    heading: 'Launching soon!',
    email: 'Email',
    emailPlaceholder: 'Enter your email',
    subscribe: 'Subscribe',
    contactUs: 'Contact us',
    first: 'First Name',
    last: 'Last Name',
    message: 'Message',
    submit: 'Submit',
    sending: 'Sending…',
    sendAgain: 'Your text is kept: close this dialog and open it again to send it.',
    fault: 'Something went wrong on this page. Please load it again.',
    reload: 'Reload',
    truncated: 'What you pasted is too long: its end is cut off.',
    close: 'Close',
    loading: 'Loading',
    withoutScripts: 'Subscribing and writing to us need JavaScript: please turn it on in your browser.',
  })
  expect([0, 1, 200].map(charactersLeft)).toEqual(['0 characters left', '1 character left', '200 characters left'])
  expect(lastMessage('Oops!')).toBe('Last message: Oops!')
})

it.each([
  ['subscribed', 'Thank you!', "We'll keep you posted on upcoming features."],
  ['already-subscribed', 'Hello again!', "You have already registered your interest. We'll keep you posted by email."],
  ['failed', 'Oops!', 'Looks like something went wrong. Please try again!'],
  ['invalid-email', 'Invalid email', "Looks like you've entered an invalid email. Please enter a valid one."],
] as const)('the notification of %s says %s', (outcome, summary, detail) => {
  expect(NOTIFICATIONS[outcome]).toMatchObject({ summary, detail })
})

it('an enquiry ends in what was specified', () => {
  const failed = { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' }
  const text = "Thank you for contacting us. We'll reach out to you soon on your query."
  expect(ENQUIRY_MESSAGES).toEqual({ received: { tone: 'success', text }, declined: failed, failed })
})

it('an error of the form says what was specified, to the letter', () => {
  expect(VALIDATION_TEXT).toEqual({
    noFirst: 'Please enter first name',
    noLast: 'Please enter last name',
    noEmail: 'Please enter an email address',
    invalidEmail: 'Please enter a valid email address',
    noMessage: 'Please enter a message',
  })
})
