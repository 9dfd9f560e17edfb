import type { paths } from '../contract.d.ts'
import type { Backend, CookieJar, SubscribeAnswer, Timers } from '../domain/ports.ts'
import { answer } from './answer.ts'
import { repeatToken } from './xsrf.ts'

type Body = paths['/api/subscribe']['post']['requestBody']['content']['application/json']

export type ClientOptions = {
  /** The page's own origin: where the calls go. */
  readonly origin: string
  readonly cookies: CookieJar
  readonly timers: Timers
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
