import type { Enquiry } from './enquiry-fields.ts'

/** How a backend answers a subscription. 'declined': the call succeeded, and the answer has `success: false`. */
export type SubscribeAnswer = 'subscribed' | 'already-subscribed' | 'declined' | 'failed'

export type EnquiryAnswer = 'received' | 'declined' | 'failed'

/** The two calls. Their promises never reject: after any failure the answer is 'failed'. */
export type Backend = {
  subscribe(email: string): Promise<SubscribeAnswer>
  sendEnquiry(enquiry: Enquiry): Promise<EnquiryAnswer>
}

/** The cookies of the browser. `read` and `write` use the format of `document.cookie`. */
export type CookieJar = {
  read(): string
  write(cookie: string): void
}

/** Stops what the function that returned it has started. A second call does nothing. */
export type Cancel = () => void

/** Runs functions later. Times are in milliseconds. */
export type Timers = {
  after(delay: number, run: () => void): Cancel
  every(interval: number, run: () => void): Cancel
}
