import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCookie } from '../src/domain/cookies.ts'
import type { Answer } from './contract.ts'

export type Call = {
  readonly method: string
  readonly path: string
  /** By their names in lower case; one that is '' is not sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** As from a browser that was never here. */
  readonly withoutCookies?: boolean
}

/** `sent` is the call as it left, but for the headers that its operator adds, which may be secret. */
export type Exchange = { readonly sent: Call; readonly answer: Answer }

export type Client = {
  exchange(call: Call): Promise<Exchange>
  /** The cookie's value, URI-decoded. */
  cookie(name: string): string | null
  /** Of every answer so far, in milliseconds. */
  readonly times: readonly number[]
}

type Options = {
  readonly host: URL
  readonly headers: Readonly<Record<string, string>>
  /** A call was answered 429: the next one to its path leaves after so many seconds. */
  limited(exchange: Exchange, seconds: number): void
}

const TIMEOUT = 10_000
const LONGEST_ANSWER = 1_000_000
const MOST_WAITS_IN_VAIN = 5

/** Calls one host, each time on a connection of its own, and waits as long as it asks for. */
export function createClient({ host, headers, limited }: Options): Client {
  const times: number[] = []
  const cookies = new Map<string, string>()
  const jar = { read: () => [...cookies].map((pair) => pair.join('=')).join('; '), write() {} }
  const limits = new Map<string, { until: number; inVain: number }>()

  function withCookies(call: Call): Call {
    const token = readCookie(jar, 'XSRF-TOKEN')
    const isSendable = token !== null && /^[\t\x20-\x7e\x80-\xff]*$/.test(token)
    const ours = { cookie: jar.read(), 'x-xsrf-token': isSendable ? token : '' }
    const all = Object.entries({ ...(call.withoutCookies ? {} : ours), ...call.headers })
    return { ...call, headers: Object.fromEntries(all.filter(([, value]) => value !== '')) }
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
      const answer = await answerOf(url, { ...sent, headers: { ...headers, ...sent.headers } })
      if (answer.status > 0) times.push(performance.now() - started)
      if (!call.withoutCookies) keepCookies(answer)
      if (answer.status !== 429) limit.inVain = 0
      if (answer.status !== 429 || limit.inVain === MOST_WAITS_IN_VAIN) return { sent, answer }
      const seconds = Number(answer.headers['retry-after']) || 1
      // Of calls that left together, one starts the waiting.
      if (limit.until <= Date.now()) limit.inVain++
      limit.until = Math.max(limit.until, Date.now() + seconds * 1000)
      limited({ sent, answer }, seconds)
    }
  }

  return { exchange, cookie: (name) => readCookie(jar, name), times }
}

function answerOf(url: URL, { method, headers, body }: Call): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const { request } = url.protocol === 'https:' ? https : http
  const fail = ({ name, code, message }: NodeJS.ErrnoException) =>
    resolve({ status: 0, headers: {}, body: name === 'TimeoutError' ? 'no whole answer in 10 s' : (code ?? message) })
  let isAnswered = false
  const call = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(TIMEOUT) })
  // Who answers before the last byte of a body came may close the connection.
  call.on(
    'error',
    (error) => isAnswered || fail('cause' in error && error.cause instanceof Error ? error.cause : error),
  )
  call.on('response', async (response) => {
    isAnswered = true
    const { statusCode = 0, headers } = response
    const chunks: Buffer[] = []
    let length = 0
    try {
      for await (const chunk of response) {
        chunks.push(chunk)
        length += chunk.length
        if (length > LONGEST_ANSWER) break
      }
      resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
    } catch (error) {
      fail(error as Error)
    }
  })
  call.end(body)
  return promise
}
