import type { CookieJar, SubscribeAnswer } from '../domain/ports.ts'
import { CALL_TIMEOUT_MS, readSubscription } from './subscription-answer.ts'
import { addXsrfHeader } from './xsrf.ts'

const PATH = '/api/subscribe'

const bodyOf = (email: string) => JSON.stringify({ email })

/** The call of a press that no app could answer yet: sent at once, and answered when the app makes the same call. */
export function createEarlySubscription(cookies: CookieJar) {
  let sent: { readonly body: string; readonly response: Promise<Response> } | null = null

  return {
    /** It outlives the page, where the visitor leaves it. */
    send(email: string): void {
      const body = bodyOf(email)
      const headers = { 'Content-Type': 'application/json' }
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS)
      const late = new Promise<never>((_, reject) => signal.addEventListener('abort', reject))
      const request = new Request(PATH, { method: 'POST', headers, body, redirect: 'error', keepalive: true, signal })
      addXsrfHeader(request, location.origin, cookies)
      // Read whole at once, for the limit would end a body that waits.
      const read = fetch(request).then(async (response) => new Response(await response.text(), response))
      // After a visit to the back/forward cache a call may settle by no answer and no abort.
      const response = Promise.race([read, late])
      response.catch(() => {})
      sent = { body, response }
    },
    /** As the browser's fetch; the response that waits is that of the first equal request. */
    async fetch(request: Request): Promise<Response> {
      const early = sent
      if (!early || new URL(request.url).pathname !== PATH) return fetch(request)
      if ((await request.clone().text()) !== early.body) return fetch(request)
      sent = null
      return early.response
    },
    /** What became of it. Whoever tells it forgets it then; until then the app may ask for it. */
    async answer(): Promise<SubscribeAnswer> {
      try {
        const response = await sent?.response
        return response?.ok ? readSubscription(await response.clone().json()) : 'failed'
      } catch {
        return 'failed'
      }
    },
    forget(): void {
      sent = null
    },
  }
}
