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
  /** By their names in lower case; one that is '' is not sent, and a cookie that is '' leaves out the token alone. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** `sent` is the call as it left, but for the headers that its operator adds, which may be secret. */
export type Exchange = { readonly sent: Call; readonly answer: Answer }

export type Client = ReturnType<typeof createClient>

const TOKEN = 'XSRF-TOKEN'
const TIMEOUT = 10_000
/** Seconds that are waited for, at the most, because an answer says so. */
const LONGEST_WAIT = 3600
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
  const cookies = new Map<string, { readonly value: string; readonly line: string }>()
  const cookiesBut = (left = '') =>
    [...cookies].flatMap(([name, { value }]) => (name === left ? [] : [`${name}=${value}`])).join('; ')
  const limits = new Map<string, { until: number; inVain: number }>()

  function withCookies(call: Call): Call {
    const cookie = [ownHeaders.cookie ?? '', cookiesBut(call.headers.cookie === '' ? TOKEN : '')]
    const token = readCookie({ read: cookiesBut, write() {} }, TOKEN) ?? ''
    const isSendable = /^[\t\x20-\x7e\x80-\xff]*$/.test(token)
    const headers = {
      'x-xsrf-token': isSendable ? token : '',
      ...call.headers,
      cookie: cookie.filter(Boolean).join('; '),
    }
    return { ...call, headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')) }
  }

  function keepCookies({ headers }: Answer) {
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^\s*([^=;]*)=([^;]*)/.exec(line) ?? []
      const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? '')
      if (/;\s*max-age=(0|-)/i.test(line) || expires < Date.now()) cookies.delete(name)
      else cookies.set(name, { value, line })
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
      const seconds = Number(answer.headers['retry-after']) || 1
      if (status !== 429 || limit.inVain === MOST_WAITS_IN_VAIN || seconds > LONGEST_WAIT) return { sent, answer }
      // Of calls that left together, one starts the waiting.
      if (limit.until <= Date.now()) limit.inVain++
      limit.until = Math.max(limit.until, Date.now() + seconds * 1000)
      limited({ sent, answer }, seconds)
    }
  }

  return { exchange, answered, token: () => cookies.get(TOKEN)?.line }
}

async function answerOf(url: URL, { method, headers, body }: Call): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http
  const signal = AbortSignal.timeout(TIMEOUT)
  const call = request(url, { method, headers, agent: false, signal })
  // Who answers before the last byte of a body came may close the connection.
  call.on('error', () => {})
  call.end(body)
  try {
    const response: http.IncomingMessage = (await once(call, 'response'))[0]
    const body = `${await buffer(response)}`
    // An answer without a length would pass for whole.
    signal.throwIfAborted()
    return { status: response.statusCode ?? 0, headers: response.headers, body }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException // Node's http throws nothing else.
    return { status: 0, headers: {}, body: signal.aborted ? 'no whole answer in 10 s' : (code ?? message) }
  }
}
