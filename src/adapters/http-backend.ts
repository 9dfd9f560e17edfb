import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../contract.d.ts'
import type { Enquiry } from '../domain/enquiry.ts'
import type { Backend, Cancel, CookieJar, EnquiryAnswer, SubscribeAnswer, Timers } from '../domain/ports.ts'
import { addXsrfHeader } from './xsrf.ts'

type ApiOptions = {
  /** The page's own origin: where the calls go. */
  readonly origin: string
  readonly cookies: CookieJar
}

/** The typed client for calls with any verb and header. It adds the XSRF header to calls that change something. */
export function createApiClient<Paths extends {} = paths>({ origin, cookies }: ApiOptions): Client<Paths> {
  // Following a redirect would send token and body on, perhaps to another origin.
  const client = createClient<Paths>({ baseUrl: origin, redirect: 'error' })
  client.use({ onRequest: ({ request }) => addXsrfHeader(request, origin, cookies) })
  return client
}

/** How long a call may take, from the press to the end of the answer. */
const CALL_TIMEOUT_MS = 10_000

type Schemas = components['schemas']

/** An answer before it is checked: a backend may break the contract. */
type Unchecked<Answer> = Partial<Answer> | null | undefined

/** A type with every field of the contract, the optional ones too: code that forgets one does not compile. */
type Complete<T> = { [Field in keyof T]-?: T[Field] extends object ? Complete<T[Field]> : T[Field] }

/** The port `Backend` over HTTP. */
export function httpBackend({ timers, ...options }: ApiOptions & { readonly timers: Timers }): Backend {
  const client = createApiClient(options)
  let lastAttempt: { readonly text: string; readonly key: string | undefined } | null = null

  /**
   * Answers 'failed' if the status is not 2xx, the body can't be read, the answer is not complete within ten seconds,
   * or the browser lacks an API that the call needs.
   */
  async function callWithTimeout<Data, Answer>(
    call: (signal: AbortSignal) => Promise<{ response: Response; data?: Data }>,
    read: (data: Data | undefined, response: Response) => Answer,
  ): Promise<Answer | 'failed'> {
    let cancel: Cancel = () => {}
    try {
      const abort = new AbortController()
      // After the page was in the back/forward cache, the call may get neither an answer nor the end by an abort.
      const timeout = new Promise<never>((_, reject) => {
        cancel = timers.after(CALL_TIMEOUT_MS, () => {
          abort.abort()
          reject()
        })
      })
      const { response, data } = await Promise.race([call(abort.signal), timeout])
      // Without a status of 2xx there is no data.
      return read(data, response)
    } catch {
      return 'failed'
    } finally {
      cancel()
    }
  }

  /** The key of an enquiry until it is received. On plain HTTP, except on localhost, browsers can't make a key. */
  function idempotencyKey(enquiry: Enquiry) {
    const text = JSON.stringify(enquiry)
    if (lastAttempt?.text !== text) lastAttempt = { text, key: globalThis.crypto?.randomUUID?.() }
    return lastAttempt.key
  }

  return {
    subscribe(email) {
      const body: Complete<Schemas['Subscription']> = { email }
      // With `keepalive` the call goes on when the visitor leaves the page.
      return callWithTimeout(
        (signal) => client.POST('/api/subscribe', { body, keepalive: true, signal }),
        readSubscription,
      )
    },
    async sendEnquiry(enquiry) {
      const { first, last, email, message } = enquiry
      const body: Complete<Schemas['Enquiry']> = { name: { first, last }, email, msg: message }
      const answer = await callWithTimeout((signal) => {
        const key = idempotencyKey(enquiry)
        const header = key ? { 'Idempotency-Key': key } : {}
        return client.POST('/api/contact-us', { params: { header }, body, signal })
      }, readEnquiry)
      if (answer === 'received') lastAttempt = null
      return answer
    },
  }
}

function readSubscription(data: Unchecked<components['schemas']['SubscriptionAnswer']>): SubscribeAnswer {
  const exists = data?.email_exists
  if (data?.success === true && typeof exists === 'boolean') return exists ? 'already-subscribed' : 'subscribed'
  if (data?.success === false && (exists === undefined || typeof exists === 'boolean')) return 'declined'
  return 'failed'
}

function readEnquiry(data: Unchecked<components['schemas']['EnquiryAnswer']>): EnquiryAnswer {
  if (data?.success === true) return 'received'
  return data?.success === false ? 'declined' : 'failed'
}
