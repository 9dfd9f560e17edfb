import { expect, it } from 'vitest'
import { ENQUIRY_NOTIFICATIONS, ENQUIRY_RESULTS } from '../../src/domain/contact-form.ts'
import { AUTH_COOKIE } from '../../src/domain/cookies.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { TEXT, TITLE, VALIDATION_TEXT } from '../../src/domain/texts.ts'

// Only this file repeats the texts of the page.
it('the texts of the page are exactly as specified', () => {
  expect([TITLE, AUTH_COOKIE]).toEqual(['GWW Admin Panel', 'GWW_AUTH_COOKIE'])
  expect(TEXT).toMatchObject({
    heading: 'Launching soon!',
    emailPlaceholder: 'Enter your email',
    subscribe: 'Subscribe',
    contactUs: 'Contact us',
    first: 'First Name',
    last: 'Last Name',
    email: 'Email',
    message: 'Message',
    submit: 'Submit',
    loading: 'Loading',
  })
  expect([0, 1, 200].map(TEXT.charactersLeft)).toEqual(['0 characters left', '1 character left', '200 characters left'])
})

it('the texts of every outcome and every error are exactly as specified', () => {
  const known = "You have already registered your interest. We'll keep you posted by email."
  const invalid = "Looks like you've entered an invalid email. Please enter a valid one."
  expect(NOTIFICATIONS).toMatchObject({
    subscribed: { summary: 'Thank you!', detail: "We'll keep you posted on upcoming features." },
    'already-subscribed': { summary: 'Hello again!', detail: known },
    failed: { summary: 'Oops!', detail: 'Looks like something went wrong. Please try again!' },
    'invalid-email': { summary: 'Invalid email', detail: invalid },
  })
  const failed = { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' }
  const text = "Thank you for contacting us. We'll reach out to you soon on your query."
  expect(ENQUIRY_RESULTS).toEqual({ received: { tone: 'success', text }, declined: failed, failed })
  const summaries = Object.entries(ENQUIRY_NOTIFICATIONS).map(([answer, { summary }]) => [answer, summary])
  expect(summaries).toEqual([
    ['received', 'Thank you!'],
    ['declined', 'Oops!'],
    ['failed', 'Oops!'],
  ])
  expect(VALIDATION_TEXT).toEqual({
    noFirst: 'Please enter first name',
    noLast: 'Please enter last name',
    noEmail: 'Please enter an email address',
    invalidEmail: 'Please enter a valid email address',
    noMessage: 'Please enter a message',
  })
})
