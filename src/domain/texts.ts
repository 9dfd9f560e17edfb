import { PROVIDER } from './provider.ts'

// All texts of the page except the provider's name. To translate the page, translate this file. Then run
// `npm run images`, because the social card contains the heading. Each `\n` ends a line where the screen has room.

export const LANG: string = 'en'
export const DIR: 'ltr' | 'rtl' = 'ltr'

/** The title of the page, as specified. The tab, bookmarks, the history and search engines show it. */
export const TITLE = `${PROVIDER} Admin Panel`
/** Search engines show this text below the title. Other sites show it in the card of a shared link. */
export const DESCRIPTION: string = 'Launching soon. Leave your email address to be kept posted on upcoming features.'

export const TEXT = {
  heading: 'Launching soon!',
  purpose: `A new service from ${PROVIDER}, your water utility.\nBe the first to hear about upcoming features.`,
  email: 'Email',
  emailPlaceholder: 'Enter your email',
  /** How the address is used. An empty text hides the sentence. */
  emailUse: 'We use your address only to keep you posted.\nYou can unsubscribe at any time.',
  subscribe: 'Subscribe',
  contactUs: 'Contact us',
  first: 'First Name',
  last: 'Last Name',
  message: 'Message',
  submit: 'Submit',
  /** How an enquiry is used. An empty text hides the sentence. */
  enquiryUse: 'We use your details only to answer you.',
  sending: 'Sending…',
  /** The contact form shows this after a failed call. Both forms show it if the app can't be loaded. */
  failed: 'Oops! Something went wrong.\nPlease try again, thank you!',
  tryAgain: 'Try again',
  charactersTooMany: (count: number) => (count === 1 ? '1 character too many' : `${count} characters too many`),
  close: 'Close',
  loading: 'Loading',
  fault: 'Something went wrong on this page. Please load it again.',
  reload: 'Reload',
  needsScripts: 'To subscribe or to write to us, please use a current browser, with JavaScript turned on.',
  /** Is followed by links that work without JavaScript. */
  otherWays: 'You can also reach us here:',
}

/** The title of the card that other sites show for a shared link, in place of the page's title. */
export const CARD_TITLE: string = `${TEXT.heading} ${PROVIDER}`

/** What the page says about each outcome of the form to subscribe. The form shows the detail too. */
export const SUBSCRIBE_TEXT = {
  subscribed: { summary: 'Thank you!', detail: "We'll keep you posted on upcoming features." },
  alreadySubscribed: {
    summary: 'Hello again!',
    detail: "You have already registered your interest.\nWe'll keep you posted by email.",
  },
  failed: { summary: 'Oops!', detail: 'Looks like something went wrong.\nPlease try again!' },
  invalidEmail: {
    summary: 'Invalid email',
    detail: "Looks like you've entered an invalid email. Please enter a valid one.",
  },
}

/**
 * What the page says about each outcome of the contact form. The form shows `formText`, or else the detail. A visitor
 * who has closed the dialog gets summary and detail as a notification.
 */
export const ENQUIRY_TEXT = {
  received: {
    summary: 'Thank you!',
    detail: "Thank you for contacting us.\nWe'll reach out to you soon on your query.",
  },
  failed: {
    formText: TEXT.failed,
    summary: 'Oops!',
    detail: `Your message was not sent.\nYour text is kept: open '${TEXT.contactUs}' to send it again.`,
  },
}

export const VALIDATION_TEXT = {
  noFirst: 'Please enter first name',
  noLast: 'Please enter last name',
  noEmail: 'Please enter an email address',
  invalidEmail: 'Please enter a valid email address',
  noMessage: 'Please enter a message',
}

/** What the server shows to a browser if there is nothing at an address, or while the page's own files are missing. */
export const ERROR_TEXT = {
  notFound: { heading: 'Not found', detail: 'What you are looking for is not at this address.' },
  unavailable: { heading: "This page can't be shown at the moment", detail: 'Please try again in a minute.' },
  link: 'Go to the start page',
}

export type Link = {
  readonly text: string
  /** An address or a path. */
  readonly href: string
  /** Whether visitors can write to us there. Without scripts, the page lists these links and those to `mailto:`. */
  readonly contact?: boolean
}

/** The texts of the links whose addresses are settings: PRIVACY_URL, IMPRINT_URL and CONTACT_URL. */
export const LINK_TEXT = { privacy: 'Privacy', imprint: 'Imprint', contact: 'Write to us' }

/** More links, for example to terms of use. The page and the contact form show them after those of LINK_TEXT. */
export const LINKS: readonly Link[] = []
