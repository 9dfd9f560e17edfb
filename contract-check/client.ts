import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCookie } from '../src/domain/cookies.ts'
import type { Answer } from './contract.ts'

export type Call = {
  readonly method: string
  readonly path: string
  /** By their names in lower case; one that is '' is not sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `sent` is the call as it left, but for the headers that its operator adds, which may be secret. */
export type Exchange = { readonly sent: Call; readonly answer: Answer }

export type Client = ReturnType<typeof createClient>

const TIMEOUT = 10_000
const MOST_WAITS_IN_VAIN = 5

/**
 * Calls one host, each time on a connection of its own, and waits as long as it asks for. `limited` is told of each
 * answer 429: the next call to its path leaves after so many seconds.
 */
export function createClient(
  host: URL,
  ownHeaders: Call['headers'],
  limited: (exchange: Exchange, seconds: number) => void,
) {
  const answered: { readonly method: string; readonly status: number; readonly milliseconds: number }[] = []
  const cookies = new Map<string, string>()
  const jar = { read: () => [...cookies].map((pair) => pair.join('=')).join('; '), write() {} }
  const limits = new Map<string, { until: number; inVain: number }>()

  function withCookies(call: Call): Call {
    const token = readCookie(jar, 'XSRF-TOKEN') ?? ''
    const isSendable = /^[\t\x20-\x7e\x80-\xff]*$/.test(token)
    const headers = { cookie: jar.read(), 'x-xsrf-token': isSendable ? token : '', ...call.headers }
    return { ...call, headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')) }
  }

  function keepCookies({ headers }: Answer) {
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^\s*([^=;]*)=([^;]*)/.exec(line) ?? []
      const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? '')
      if (/;\s*max-age=(0|-)/i.test(line) || expires < Date.now()) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  async function exchange(call: Call): Promise<Exchange> {
    const limit = limits.get(call.path) ?? { until: 0, inVain: 0 }
    limits.set(call.path, limit)
    for (;;) {
      while (Date.now() < limit.until) await sleep(limit.until - Date.now())
      const sent = withCookies(call)
      const url = new URL(host.pathname.replace(/\/$/, '') + call.path, host)
      const started = performance.now()
      const answer = await answerOf(url, { ...sent, headers: { ...ownHeaders, ...sent.headers } })
      const { status } = answer
      if (status > 0) answered.push({ method: call.method, status, milliseconds: performance.now() - started })
      keepCookies(answer)
      if (status !== 429) limit.inVain = 0
      if (status !== 429 || limit.inVain === MOST_WAITS_IN_VAIN) return { sent, answer }
      const seconds = Number(answer.headers['retry-after']) || 1
      // Of calls that left together, one starts the waiting.
      if (limit.until <= Date.now()) limit.inVain++
      limit.until = Math.max(limit.until, Date.now() + seconds * 1000)
      limited({ sent, answer }, seconds)
    }
  }

  return { exchange, answered, cookie: (name: string) => readCookie(jar, name) }
}

async function answerOf(url: URL, { method, headers, body }: Call): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http
  const call = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(TIMEOUT) })
  // Who answers before the last byte of a body came may close the connection.
  call.on('error', () => {})
  call.end(body)
  try {
    const response: http.IncomingMessage = (await once(call, 'response'))[0]
    return { status: response.statusCode ?? 0, headers: response.headers, body: `${await buffer(response)}` }
  } catch (error) {
    const { code, message, cause } = error as NodeJS.ErrnoException // Node's http throws nothing else.
    const isLate = Object(cause).name === 'TimeoutError'
    return { status: 0, headers: {}, body: isLate ? 'no whole answer in 10 s' : (code ?? message) }
  }
}
