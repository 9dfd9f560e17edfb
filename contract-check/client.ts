import { once, setMaxListeners } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCookie } from '../src/domain/cookies.ts'
import type { Answer } from './contract.ts'

export type Call = {
  readonly method: string
  readonly path: string
  /** By their names in lower case; null is not sent. A `cookie` stands for the XSRF cookie alone, beside all others. */
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: Buffer
}

/** `sent` is the call as it left, but for the headers that its operator adds, which may be secret. */
export type Exchange = { readonly sent: Call; readonly answer: Answer }

/** How a call travels: over whose connection, and what its last byte waits for. */
type Way = { readonly agent?: http.Agent; readonly gate?: () => Promise<void> }

export type Client = ReturnType<typeof createClient>

const TOKEN = 'XSRF-TOKEN'
/** Of an answer; the largest of the contract's has a few thousand. */
const MAX_BYTES = 2 ** 20
/** Of a body that goes in chunks: of a short one, they end amid characters. */
const CHUNKS = 100
/** As browsers do, so that no answer makes the next call too large. */
const MAX_COOKIES = 50
const MAX_COOKIE_LENGTH = 4096
/** Seconds that are waited for, at the most, because an answer says so. */
const LONGEST_WAIT = 3600
const MOST_WAITS_IN_VAIN = 5
/** Milliseconds that calls which are to arrive together wait for each other's connections. */
const GATHERING_MS = 1000

/**
 * Calls one host, each time on a connection of its own unless told otherwise, and waits as long as it asks for. `limited`
 * is told of each answer 429: the next call to its path leaves after so many seconds.
 */
export function createClient(
  host: URL,
  ownHeaders: Readonly<Record<string, string>>,
  limited: (exchange: Exchange, seconds: number) => void,
  callTimeoutMs: number,
) {
  const answered: { readonly method: string; readonly status: number; readonly milliseconds: number }[] = []
  const cookies = new Map<string, { readonly value: string; readonly line: string }>()
  const limits = new Map<string, { until: number; inVain: number }>()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  const cookiesBut = (left = '') =>
    [...cookies].flatMap(([name, { value }]) => (name === left ? [] : [`${name}=${value}`])).join('; ')

  function withCookies(call: Call): Call {
    const { cookie } = call.headers
    const token = readCookie(cookiesBut(), TOKEN) ?? ''
    const isSendable = /^[\t\x20-\x7e\x80-\xff]+$/.test(token)
    const jar = joined(cookie === undefined ? cookiesBut() : cookiesBut(TOKEN), cookie)
    return { ...call, headers: { 'x-xsrf-token': isSendable ? token : null, ...call.headers, cookie: jar || null } }
  }

  function keepCookies({ headers }: Answer) {
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^\s*([^=;]*)=([^;]*)/.exec(line) ?? []
      const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? '')
      if (/;\s*max-age=(0|-)/i.test(line) || expires < Date.now()) cookies.delete(name)
      else if (name.length + value.length <= MAX_COOKIE_LENGTH) cookies.set(name, { value, line })
      if (cookies.size > MAX_COOKIES) cookies.delete([...cookies.keys()].find((name) => name !== TOKEN) ?? '')
    }
  }

  async function exchange(call: Call, way: Way = {}): Promise<Exchange> {
    const limit = limits.get(call.path) ?? { until: 0, inVain: 0 }
    limits.set(call.path, limit)
    for (;;) {
      while (Date.now() < limit.until && !stopping.signal.aborted) {
        await sleep(limit.until - Date.now(), null, { signal: stopping.signal }).catch(() => {})
      }
      const sent = withCookies(call)
      const url = new URL(host.pathname.replace(/\/$/, '') + call.path, host)
      const headers = { ...ownHeaders, ...sent.headers, cookie: joined(ownHeaders.cookie, sent.headers.cookie) || null }
      const started = performance.now()
      const answer = await answerOf(url, { ...sent, headers }, way, stopping.signal, callTimeoutMs)
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

  /** One after the other over one connection, as long as the host keeps it; like a browser, it asks a second time. */
  async function exchangeInTurn(calls: readonly Call[]): Promise<Exchange[]> {
    const { Agent } = host.protocol === 'https:' ? https : http
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const exchanges: Exchange[] = []
    for (const call of calls) {
      const first = await exchange(call, { agent })
      exchanges.push(first.answer.status === 0 ? await exchange(call, { agent }) : first)
    }
    agent.destroy()
    return exchanges
  }

  /** All at once: each waits with its last byte until all others have sent theirs but that. */
  function exchangeTogether(calls: readonly Call[]): Promise<Exchange[]> {
    let missing = calls.length
    let open = () => {}
    const gathered = new Promise<void>((resolve) => {
      open = resolve
    })
    const gate = () => {
      if (--missing === 0) open()
      return Promise.race([gathered, sleep(GATHERING_MS)])
    }
    return Promise.all(calls.map((call) => exchange(call, { gate })))
  }

  const secrets = secretsOf(host, ownHeaders)

  return {
    exchange,
    exchangeInTurn,
    exchangeTogether,
    answered,
    /** A text without what its operator's own headers hold, also where an answer repeats it. */
    hide: (text: string) => secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), text),
    token: () => cookies.get(TOKEN)?.line,
    /** Ends what is under way; from now on no call is sent. */
    stop: () => stopping.abort(),
    stopped: once(stopping.signal, 'abort').then(() => null),
    isStopped: () => stopping.signal.aborted,
  }
}

/** Shorter parts are no secrets, but words such as `true`. */
const LEAST_SECRET = 6

/** The longest first: one may be a part of another. */
function secretsOf({ username, password }: URL, headers: Readonly<Record<string, string>>): string[] {
  const values = Object.values(headers)
  const parts = values.flatMap((value) => value.split(/[\s,;=]+/))
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return [...values, ...parts, password, decodeURIComponent(password), btoa(credentials)]
    .filter(({ length }) => length >= LEAST_SECRET)
    .toSorted((one, other) => other.length - one.length)
}

const joined = (...cookies: (string | null | undefined)[]) => cookies.filter(Boolean).join('; ')

/** Whatever comes, and even if nothing does, there is an answer: one of status 0 tells why it is none. */
function answerOf(url: URL, call: Call, { agent, gate }: Way, signal: AbortSignal, timeoutMs: number): Promise<Answer> {
  if (signal.aborted) return Promise.resolve(none('not sent'))
  const { request } = url.protocol === 'https:' ? https : http
  const { method, body } = call
  const length = call.headers['transfer-encoding'] ? null : String(body.length)
  const headers = Object.fromEntries(
    Object.entries({ 'content-length': length, ...call.headers }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    ),
  )
  return new Promise((resolve) => {
    const outgoing = request(url, { method, headers, agent: agent ?? false, signal })
    const end = (answer: Answer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    const fail = (why: string) => {
      end(none(why))
      outgoing.destroy()
    }
    const startTimer = () => setTimeout(fail, timeoutMs, `no whole answer in ${timeoutMs / 1000} s`)
    let timer = startTimer()
    let hasAnswered = false

    // Who answers before the last byte of a body came may close the connection: then the answer counts.
    outgoing.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (!hasAnswered) fail(code ?? message)
    })
    outgoing.on('close', () => {
      if (!hasAnswered) fail('the connection was closed')
    })
    outgoing.on('upgrade', () => fail('another protocol than HTTP'))
    outgoing.on('response', (incoming) => {
      hasAnswered = true
      const chunks: Buffer[] = []
      let bytes = 0
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_BYTES) fail('an answer of more than 1 MiB')
        else chunks.push(chunk)
      })
      incoming.on('error', () => {})
      incoming.on('close', () => {
        const { statusCode: status = 0, headers, complete } = incoming
        // An answer without a length would pass for whole.
        if (!complete || signal.aborted) return fail('the connection was closed amid the answer')
        end({ status, headers, body: `${Buffer.concat(chunks)}` })
      })
    })

    if (call.headers['transfer-encoding']) {
      const size = Math.ceil(body.length / CHUNKS)
      for (let start = 0; start < body.length; start += size) outgoing.write(body.subarray(start, start + size))
      outgoing.end()
    } else if (gate) {
      outgoing.write(body.subarray(0, -1), async () => {
        await gate()
        clearTimeout(timer)
        timer = startTimer()
        outgoing.end(body.subarray(-1))
      })
    } else outgoing.end(body)
  })
}

const none = (why: string): Answer => ({ status: 0, headers: {}, body: why })
