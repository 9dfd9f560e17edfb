/** What makes the page this provider's: another rebrands by editing this file, and by `npm run pictures -- PHOTO`. */

/** The provider's short name; the title and the cookie's name are made from it. */
export const PROVIDER = 'GWW'

export const TITLE = `${PROVIDER} Admin Panel`

export const DESCRIPTION = 'Launching soon. Leave your email address to be kept posted on upcoming features.'

/** Everything that is read on the page, but for the messages of the error catalogue. */
export const WORDS = {
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
  left: 'characters left',
  cut: 'What you pasted is too long: its end is cut off.',
  close: 'Close',
  loading: 'Loading',
  lastMessage: 'Last message',
  withoutScripts: 'Subscribing and writing to us need JavaScript: please turn it on in your browser.',
} as const

/** Each colour in light and in dark. The picture is dark in both, and `onPicture` lies on it. */
export const COLOURS = {
  deep: ['#03121f', '#03121f'],
  onPicture: ['#ffffff', '#ffffff'],
  panel: ['#ffffff', '#0d2233'],
  sunken: ['#eef3f7', '#183044'],
  ink: ['#0b2239', '#eaf3fa'],
  muted: ['#42586e', '#a9bfd2'],
  line: ['#71879b', '#7d95aa'],
  accent: ['#0a5f86', '#4cc2e6'],
  accentStrong: ['#084a69', '#7fd6f0'],
  onAccent: ['#ffffff', '#04202e'],
  focus: ['#1a6fe0', '#6cb6ff'],
  success: ['#146c2e', '#6fdc9b'],
  error: ['#b3261e', '#ff9c93'],
  info: ['#0b5cad', '#8cc4ff'],
  warning: ['#8a5300', '#ffc46b'],
} as const satisfies Record<string, readonly [light: string, dark: string]>
