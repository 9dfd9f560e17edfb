import type { paths } from '../contract.d.ts'
import type { Backend, CookieJar, SubscribeAnswer, Timers } from '../domain/ports.ts'
import { repeatToken } from './xsrf.ts'

type Body = paths['/api/subscribe']['post']['requestBody']['content']['application/json']

export type ClientOptions = {
  /** The page's own origin: where the calls go. */
  readonly origin: string
  readonly cookies: CookieJar
  readonly timers: Timers
}

const TIMEOUT_MS = 10_000

/** What a call is answered. A status outside 2xx, a body that can't be read, ten seconds of silence: 'failed'. */
export async function answer<Answer>(
  timers: Timers,
  send: (signal: AbortSignal) => Promise<{ response: Response; data?: unknown }>,
  read: (fields: Record<string, unknown>) => Answer,
): Promise<Answer | 'failed'> {
  const abort = new AbortController()
  const cancel = timers.after(TIMEOUT_MS, () => abort.abort())
  try {
    const { response, data } = await send(abort.signal)
    return response.ok ? read(typeof data === 'object' && data !== null ? { ...data } : {}) : 'failed'
  } catch {
    return 'failed'
  } finally {
    cancel()
  }
}

/** The call without a library, for the boot script makes it too. It outlives the page, where the visitor leaves it. */
export function subscribeCall({ origin, cookies, timers }: ClientOptions): Backend['subscribe'] {
  return (email) => {
    const body: Required<Body> = { email }
    const send = async (signal: AbortSignal) => {
      const request = new Request(new URL('/api/subscribe', origin), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        // Following a redirect would carry token and body on, to another origin too.
        redirect: 'error',
        keepalive: true,
        signal,
      })
      repeatToken(request, origin, cookies)
      const response = await fetch(request)
      return { response, data: await response.json() }
    }
    return answer(timers, send, readSubscription)
  }
}

function readSubscription({ success, email_exists: exists }: Record<string, unknown>): SubscribeAnswer {
  if (success === true && typeof exists === 'boolean') return exists ? 'already-subscribed' : 'subscribed'
  if (success === false && (exists === undefined || typeof exists === 'boolean')) return 'declined'
  return 'failed'
}
