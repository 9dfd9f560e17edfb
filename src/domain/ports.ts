import type { Enquiry } from './enquiry.ts'

/** What a backend says to an address. */
export type SubscribeAnswer = 'subscribed' | 'already-subscribed' | 'declined' | 'failed'

/** What a backend says to an enquiry. */
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

/** Safe to call again. */
export type Cancel = () => void

/** Time, in milliseconds. */
export type Timers = {
  after(delay: number, run: () => void): Cancel
  every(interval: number, run: () => void): Cancel
}
