import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../contract.d.ts'
import type { Enquiry } from '../domain/enquiry.ts'
import type { Backend, CookieJar, EnquiryAnswer, SubscribeAnswer, Timers } from '../domain/ports.ts'
import { xsrf } from './xsrf.ts'

const TIMEOUT = 10_000

type Wire = {
  /** The page's own origin: where the calls go. */
  readonly origin: string
  readonly cookies: CookieJar
}

/** The typed client: every verb, any extra headers, promises, and the XSRF header where it belongs. */
export function createApiClient<Paths extends {} = paths>({ origin, cookies }: Wire): Client<Paths> {
  // Following a redirect would carry token and body on, to another origin too.
  const client = createClient<Paths>({ baseUrl: origin, redirect: 'error' })
  client.use(xsrf(origin, cookies))
  return client
}

/** The two calls over HTTP. A status outside 2xx, a body that is not the contract's, ten seconds of silence: 'failed'. */
export function httpBackend({ timers, ...wire }: Wire & { readonly timers: Timers }): Backend {
  const client = createApiClient(wire)
  const messageKey = createMessageKey()
  return {
    subscribe: (email) =>
      answer(timers, (signal) => client.POST('/api/subscribe', { body: { email }, signal }), readSubscription),
    async sendEnquiry(enquiry) {
      const { first, last, email, message } = enquiry
      const key = messageKey.of(enquiry)
      const received = await answer(
        timers,
        (signal) =>
          client.POST('/api/contact-us', {
            params: { header: key ? { 'Idempotency-Key': key } : {} },
            body: { name: { first, last }, email, msg: message },
            signal,
          }),
        readEnquiry,
      )
      if (received === 'received') messageKey.forget()
      return received
    },
  }
}

async function answer<Answer>(
  timers: Timers,
  send: (signal: AbortSignal) => Promise<{ response: Response; data?: unknown }>,
  read: (body: unknown) => Answer,
): Promise<Answer | 'failed'> {
  const abort = new AbortController()
  const stop = timers.after(TIMEOUT, () => abort.abort())
  try {
    const { response, data } = await send(abort.signal)
    return response.ok ? read(data) : 'failed'
  } catch {
    return 'failed'
  } finally {
    stop()
  }
}

function readSubscription(body: unknown): SubscribeAnswer {
  const { success, email_exists: exists } = fieldsOf(body)
  if (success === true && typeof exists === 'boolean') return exists ? 'already-subscribed' : 'subscribed'
  if (success === false && (exists === undefined || typeof exists === 'boolean')) return 'declined'
  return 'failed'
}

function readEnquiry(body: unknown): EnquiryAnswer {
  const { success } = fieldsOf(body)
  if (success === true) return 'received'
  return success === false ? 'declined' : 'failed'
}

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** One Idempotency-Key per message: kept while the same one is tried again, new for another or after `forget`. */
function createMessageKey() {
  let last: { readonly message: string; readonly key: string | undefined } | null = null
  return {
    /** Undefined where the browser makes no UUID: on plain HTTP from another host. The contract lets it be absent. */
    of(enquiry: Enquiry): string | undefined {
      const message = JSON.stringify(enquiry)
      if (last?.message !== message) last = { message, key: crypto.randomUUID?.() }
      return last.key
    },
    forget() {
      last = null
    },
  }
}
