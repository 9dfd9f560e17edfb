import { expect, it } from 'vitest'
import { ENQUIRY_NOTIFICATIONS, ENQUIRY_RESULTS } from '../../src/domain/contact-form.ts'
import { AUTH_COOKIE } from '../../src/domain/cookies.ts'
import { NOTIFICATIONS } from '../../src/domain/subscription.ts'
import { TEXT, TITLE, VALIDATION_TEXT } from '../../src/domain/texts.ts'

// Only this file repeats texts of the page. After a translation write the new texts here, or delete this file.
it('the texts are as specified in English: after a translation change this test', () => {
  const known = "You have already registered your interest. We'll keep you posted by email."
  const invalid = "Looks like you've entered an invalid email. Please enter a valid one."
  const failed = { tone: 'error', text: 'Oops! Something went wrong. Please try again, thank you!' }
  const text = "Thank you for contacting us. We'll reach out to you soon on your query."
  expect({
    TITLE,
    AUTH_COOKIE,
    TEXT,
    left: [0, 1, 200].map(TEXT.charactersLeft),
    tooMany: [1, 2].map(TEXT.charactersTooMany),
    NOTIFICATIONS,
    ENQUIRY_RESULTS,
    ENQUIRY_NOTIFICATIONS,
    VALIDATION_TEXT,
  }).toMatchObject({
    TITLE: 'GWW Admin Panel',
    AUTH_COOKIE: 'GWW_AUTH_COOKIE',
    TEXT: {
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
    },
    left: ['0 characters left', '1 character left', '200 characters left'],
    tooMany: ['1 character too many', '2 characters too many'],
    NOTIFICATIONS: {
      subscribed: { summary: 'Thank you!', detail: "We'll keep you posted on upcoming features." },
      'already-subscribed': { summary: 'Hello again!', detail: known },
      failed: { summary: 'Oops!', detail: 'Looks like something went wrong. Please try again!' },
      'invalid-email': { summary: 'Invalid email', detail: invalid },
    },
    ENQUIRY_RESULTS: { received: { tone: 'success', text }, declined: failed, failed },
    ENQUIRY_NOTIFICATIONS: {
      received: { summary: 'Thank you!' },
      declined: { summary: 'Oops!' },
      failed: { summary: 'Oops!' },
    },
    VALIDATION_TEXT: {
      noFirst: 'Please enter first name',
      noLast: 'Please enter last name',
      noEmail: 'Please enter an email address',
      invalidEmail: 'Please enter a valid email address',
      noMessage: 'Please enter a message',
    },
  })
})
