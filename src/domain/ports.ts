import type { Enquiry } from './enquiry-fields.ts'

/** How a backend answers a subscription; 'declined' is a call that succeeds and answers `success: false`. */
export type SubscribeAnswer = 'subscribed' | 'already-subscribed' | 'declined' | 'failed'

/** How a backend answers an enquiry. */
export type EnquiryAnswer = 'received' | 'declined' | 'failed'

/** The two calls. Neither ever rejects: every failure is the answer 'failed'. */
export type Backend = {
  subscribe(email: string): Promise<SubscribeAnswer>
  sendEnquiry(enquiry: Enquiry): Promise<EnquiryAnswer>
}

/** The browser's cookies, in the spelling of `document.cookie`. */
export type CookieJar = {
  read(): string
  write(cookie: string): void
}

/** Ends what the function that returned it has begun. A second call is harmless. */
export type Cancel = () => void

/** Time, in milliseconds. */
export type Timers = {
  after(delay: number, run: () => void): Cancel
  every(interval: number, run: () => void): Cancel
}
