import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../contract/contract.d.ts'
import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../domain/cookies.ts'
import type { Enquiry } from '../domain/enquiry-fields.ts'
import type { Backend, CookieJar, EnquiryAnswer, SubscribeAnswer } from '../domain/ports.ts'

/** The calls go to `origin`, which is the page's own. One of the `cookies` has the XSRF token. */
type ApiOptions = { readonly origin: string; readonly cookies: CookieJar }

/** A call that has no complete answer after this time is aborted. */
const CALL_TIMEOUT_MS = 10_000

/** Creates a typed client, also for methods and headers that the page does not use yet. It adds the XSRF header if needed. */
export function createApiClient<Paths extends {} = paths>({ origin, cookies }: ApiOptions): Client<Paths> {
  const client = createClient<Paths>({
    baseUrl: origin,
    // A redirect is refused: it could send the token and the body to another origin.
    redirect: 'error',
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }),
  })
  client.use({ onRequest: ({ request }) => addXsrfHeader(request, origin, cookies) })
  return client
}

/** Repeats the XSRF cookie as a header, except on GET and HEAD, for another origin, or if the header is set already. */
export function addXsrfHeader(request: Request, origin: string, cookies: CookieJar): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (new URL(request.url).origin !== origin || request.headers.has(XSRF_HEADER)) return
  const token = readCookie(cookies.read(), XSRF_COOKIE)
  if (token === null) return
  try {
    request.headers.set(XSRF_HEADER, token)
  } catch {
    // No header can have this value. The call goes out without the header, and the backend decides about it.
  }
}

/** Implements the port `Backend` by the HTTP calls of openapi.yaml. */
export function httpBackend(options: ApiOptions): Backend {
  const client = createApiClient(options)
  let lastAttempt: { readonly text: string; readonly key: string | undefined } | null = null

  /** Waits for an answer and reads its data. With a status other than 2xx there is no data. */
  async function answerOf<Data, Answer>(call: Promise<{ data?: Data }>, read: (data?: Data) => Answer) {
    // The abort is not enough: Safari never ends a call during which the visitor left the page and came back.
    const timedOut = new Promise<never>((_, reject) => setTimeout(reject, CALL_TIMEOUT_MS))
    try {
      return read((await Promise.race([call, timedOut])).data)
    } catch {
      return 'failed'
    }
  }

  /** Returns the same key until the enquiry changes or is received. Without https, many browsers can't make a key. */
  function idempotencyKey(enquiry: Enquiry) {
    const text = JSON.stringify(enquiry)
    if (lastAttempt?.text !== text) lastAttempt = { text, key: globalThis.crypto?.randomUUID?.() }
    return lastAttempt.key
  }

  return {
    // With `keepalive` the call continues when the visitor leaves the page.
    subscribe: (email) =>
      answerOf(client.POST('/api/subscribe', { body: { email }, keepalive: true }), readSubscription),
    async sendEnquiry(enquiry) {
      const { first, last, email, message } = enquiry
      const key = idempotencyKey(enquiry)
      const header = key ? { 'Idempotency-Key': key } : {}
      const body: Required<Schemas['Enquiry']> = { name: { first, last }, email, msg: message }
      const answer = await answerOf(client.POST('/api/contact-us', { params: { header }, body }), readEnquiry)
      if (answer === 'received') lastAttempt = null
      return answer
    },
  }
}

// The functions below do not trust the backend: any field may be missing, or have another type.

type Schemas = components['schemas']

function readSubscription(data?: Partial<Schemas['SubscriptionAnswer']> | null): SubscribeAnswer {
  const exists = data?.email_exists
  if (data?.success === true && typeof exists === 'boolean') return exists ? 'already-subscribed' : 'subscribed'
  if (data?.success === false && (exists === undefined || typeof exists === 'boolean')) return 'declined'
  return 'failed'
}

function readEnquiry(data?: Partial<Schemas['EnquiryAnswer']> | null): EnquiryAnswer {
  if (data?.success === true) return 'received'
  return data?.success === false ? 'declined' : 'failed'
}
