import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from '../../contract/contract.d.ts'
import { readCookie, XSRF_COOKIE, XSRF_HEADER } from '../domain/cookies.ts'
import type { Enquiry } from '../domain/enquiry-fields.ts'
import type { Backend, CookieJar, EnquiryAnswer, SubscribeAnswer } from '../domain/ports.ts'

/** The page's own origin, where the calls go, and its cookies. */
type ApiOptions = { readonly origin: string; readonly cookies: CookieJar }

/** How long a call may take, from the press to the end of the answer. Then it is aborted. */
const CALL_TIMEOUT_MS = 10_000

/** The typed client for calls with any verb and header. It adds the XSRF header to calls that change something. */
export function createApiClient<Paths extends {} = paths>({ origin, cookies }: ApiOptions): Client<Paths> {
  const client = createClient<Paths>({
    baseUrl: origin,
    // Following a redirect would send token and body on, perhaps to another origin.
    redirect: 'error',
    fetch: (request) => fetch(request, { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) }),
  })
  client.use({ onRequest: ({ request }) => addXsrfHeader(request, origin, cookies) })
  return client
}

/** Repeats the XSRF cookie as a header on calls to `origin` that change something, unless the caller set the header. */
export function addXsrfHeader(request: Request, origin: string, cookies: CookieJar): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (new URL(request.url).origin !== origin || request.headers.has(XSRF_HEADER)) return
  const token = readCookie(cookies.read(), XSRF_COOKIE)
  if (token === null) return
  try {
    request.headers.set(XSRF_HEADER, token)
  } catch {
    // A value that is not valid in a header is left out, and the backend decides: an exception would stop every call.
  }
}

/** The port `Backend` over HTTP. */
export function httpBackend(options: ApiOptions): Backend {
  const client = createApiClient(options)
  let lastAttempt: { readonly text: string; readonly key: string | undefined } | null = null

  /** Reads the answer of a call. Without a status of 2xx there is no data. */
  async function answerOf<Data, Answer>(call: Promise<{ data?: Data }>, read: (data?: Data) => Answer) {
    // Safari never ends a call that was under way when the page was left, not even if the visitor comes back.
    const timedOut = new Promise<never>((_, reject) => setTimeout(reject, CALL_TIMEOUT_MS))
    try {
      return read((await Promise.race([call, timedOut])).data)
    } catch {
      return 'failed'
    }
  }

  /** The key of an enquiry until it is received. On plain HTTP, except on localhost, browsers can't make a key. */
  function idempotencyKey(enquiry: Enquiry) {
    const text = JSON.stringify(enquiry)
    if (lastAttempt?.text !== text) lastAttempt = { text, key: globalThis.crypto?.randomUUID?.() }
    return lastAttempt.key
  }

  return {
    // With `keepalive` the call goes on when the visitor leaves the page.
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

// A backend may break the contract: any field may be missing, or of another type.

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
