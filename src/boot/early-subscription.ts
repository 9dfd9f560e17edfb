import { browserCookies } from '../adapters/browser.ts'
import { readSubscription } from '../adapters/subscription-answer.ts'
import { addXsrfHeader } from '../adapters/xsrf.ts'
import type { SubscribeAnswer } from '../domain/ports.ts'

const TIMEOUT_MS = 10_000

/** The call of a press that no app could answer. */
let sent: { readonly email: string; readonly response: Promise<Response> } | null = null

const bodyOf = (email: string) => JSON.stringify({ email })

/** Sends an address, and keeps the response. It outlives the page, where the visitor leaves it. */
export function sendEarly(email: string): void {
  const request = new Request('/api/subscribe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: bodyOf(email),
    redirect: 'error',
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  addXsrfHeader(request, location.origin, browserCookies)
  // Read at once: the limit would end a body that waits.
  const response = fetch(request).then(async (response) => new Response(await response.text(), response))
  response.catch(() => {})
  sent = { email, response }
}

/** As the browser's fetch; the call that was sent early answers the first equal request. */
export async function fetchOnce(request: Request): Promise<Response> {
  const early = sent
  if (!early || new URL(request.url).pathname !== '/api/subscribe') return fetch(request)
  if ((await request.clone().text()) !== bodyOf(early.email)) return fetch(request)
  sent = null
  return early.response
}

/** What became of the call, where no app takes it. */
export async function takeAnswer(): Promise<SubscribeAnswer> {
  const early = sent
  sent = null
  try {
    const response = await early?.response
    return response?.ok ? readSubscription(await response.json()) : 'failed'
  } catch {
    return 'failed'
  }
}
