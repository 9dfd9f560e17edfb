import createClient, { type Client } from 'openapi-fetch'
import type { paths } from '../contract.d.ts'
import type { Enquiry } from '../domain/enquiry.ts'
import type { Backend, EnquiryAnswer } from '../domain/ports.ts'
import { answer, type ClientOptions, subscribeCall } from './subscribe-call.ts'
import { repeatToken } from './xsrf.ts'

/** The typed client: every verb, any extra headers, promises, and the XSRF header where it belongs. */
export function createApiClient<Paths extends {} = paths>({
  origin,
  cookies,
}: Pick<ClientOptions, 'origin' | 'cookies'>): Client<Paths> {
  // Following a redirect would carry token and body on, to another origin too.
  const client = createClient<Paths>({ baseUrl: origin, redirect: 'error' })
  client.use({ onRequest: ({ request }) => repeatToken(request, origin, cookies) })
  return client
}

type Body = paths['/api/contact-us']['post']['requestBody']['content']['application/json']

/** With every field that the contract knows, the optional ones too: one that is forgotten does not compile. */
type Complete<T> = { [Field in keyof T]-?: T[Field] extends object ? Complete<T[Field]> : T[Field] }

/** The two calls over HTTP. */
export function httpBackend(options: ClientOptions): Backend {
  const client = createApiClient(options)
  let sent: { readonly message: string; readonly key: string | undefined } | null = null

  /** Each message has its own, and keeps it until it is received. On plain HTTP from another host browsers make none. */
  function idempotencyKey(enquiry: Enquiry) {
    const message = JSON.stringify(enquiry)
    if (sent?.message !== message) sent = { message, key: crypto.randomUUID?.() }
    return sent.key
  }

  return {
    subscribe: subscribeCall(options),
    async sendEnquiry(enquiry) {
      const { first, last, email, message } = enquiry
      const body: Complete<Body> = { name: { first, last }, email, msg: message }
      const key = idempotencyKey(enquiry)
      const received = await answer(
        options.timers,
        (signal) =>
          client.POST('/api/contact-us', {
            params: { header: key ? { 'Idempotency-Key': key } : {} },
            body,
            signal,
          }),
        readEnquiry,
      )
      if (received === 'received') sent = null
      return received
    },
  }
}

function readEnquiry({ success }: Record<string, unknown>): EnquiryAnswer {
  if (success === true) return 'received'
  return success === false ? 'declined' : 'failed'
}
