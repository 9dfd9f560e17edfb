import { once, setMaxListeners } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCookie } from '../../src/domain/cookies.ts'
import type { Answer } from '../operations.ts'

export type Call = {
  readonly method: string
  readonly path: string
  /** Names are in lower case, unless a check wants capitals; null is not sent. `cookie` replaces the XSRF cookie alone. */
  readonly headers: Readonly<Record<string, string | readonly string[] | null>>
  readonly body: Buffer
}

/**
 * `sent` is the call without the headers of `--header`, which may be secret. It may have waited for a rate limit. In a
 * sequence it may have had to connect anew, though the answer before did not say so.
 */
export type Exchange = {
  readonly sent: Call
  readonly answer: Answer
  readonly hasWaited?: boolean
  readonly isReconnected?: boolean
}

/** The connection of a call, and what its last byte waits for. */
type Transport = {
  readonly agent?: http.Agent
  readonly barrier?: () => Promise<void>
  /** Told whether the connection carried a call before. */
  readonly onConnection?: (isReused: boolean) => void
}

export type Client = ReturnType<typeof createClient>

const TOKEN = 'XSRF-TOKEN'
/** Of an answer. The largest of the contract has a few thousand. */
const MAX_ANSWER_BYTES = 2 ** 20
/** So many that chunks of a short body end within a character. */
const CHUNKS = 100
/** Limits like those of browsers, so that no answer makes the next call too large. */
const MAX_COOKIES = 50
const MAX_COOKIE_LENGTH = 4096
/** The longest Retry-After that is waited for. */
const MAX_WAIT_S = 3600
const MAX_WAITS = 5
/** How long calls that are to arrive together wait for each other's connections. */
const BARRIER_MS = 1000

/**
 * Calls one host, by default over a new connection each time. After a 429 it waits as long as Retry-After says before the
 * next call to that path, and tells `onRateLimited`.
 */
export function createClient(
  host: URL,
  ownHeaders: Readonly<Record<string, string>>,
  onRateLimited: (exchange: Exchange, seconds: number) => void,
  callTimeoutMs: number,
) {
  const answered: { readonly method: string; readonly status: number; readonly milliseconds: number }[] = []
  const cookies = new Map<string, { readonly value: string; readonly line: string }>()
  /** Cookies that a browser would not keep, or the page not send back, and why. */
  const dropped: string[] = []
  const limits = new Map<string, { until: number; waits: number }>()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  const cookiesExcept = (excluded = '') =>
    [...cookies].flatMap(([name, { value }]) => (name === excluded ? [] : [`${name}=${value}`])).join('; ')

  function withCookies(call: Call): Call {
    const { cookie } = call.headers
    const token = readCookie(cookiesExcept(), TOKEN) ?? ''
    const isSendable = /^[\t\x20-\x7e\x80-\xff]+$/.test(token)
    const jar = joinCookies(cookie === undefined ? cookiesExcept() : cookiesExcept(TOKEN), cookie)
    return { ...call, headers: { 'x-xsrf-token': isSendable ? token : null, ...call.headers, cookie: jar || null } }
  }

  function keepCookies({ headers }: Answer) {
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^\s*([^=;]*)=([^;]*)/.exec(line) ?? []
      const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? '')
      const isTooLong = name.length + value.length > MAX_COOKIE_LENGTH
      const isOpen = /; *samesite=none/i.test(line) && !/; *secure/i.test(line)
      if (isTooLong) dropped.push(`${name}: over ${MAX_COOKIE_LENGTH} characters`)
      else if (isOpen) dropped.push(`${name}: SameSite=None without Secure`)
      else if (/;\s*max-age=(0|-)/i.test(line) || expires < Date.now()) cookies.delete(name)
      else cookies.set(name, { value, line })
      if (cookies.size > MAX_COOKIES) cookies.delete([...cookies.keys()].find((name) => name !== TOKEN) ?? '')
    }
  }

  async function exchange(call: Call, transport: Transport = {}): Promise<Exchange> {
    const limit = limits.get(call.path) ?? { until: 0, waits: 0 }
    limits.set(call.path, limit)
    for (let hasWaited = false; ; hasWaited = true) {
      while (Date.now() < limit.until && !stopping.signal.aborted) {
        await sleep(limit.until - Date.now(), null, { signal: stopping.signal }).catch(() => {})
      }
      const sent = withCookies(call)
      const url = new URL(host.pathname.replace(/\/$/, '') + call.path, host)
      const headers = {
        ...ownHeaders,
        ...sent.headers,
        cookie: joinCookies(ownHeaders.cookie, sent.headers.cookie) || null,
      }
      const started = performance.now()
      const answer = await answerOf(url, { ...sent, headers }, transport, stopping.signal, callTimeoutMs)
      const { status } = answer
      if (status > 0) answered.push({ method: call.method, status, milliseconds: performance.now() - started })
      keepCookies(answer)
      if (status !== 429) limit.waits = 0
      const seconds = Number(answer.headers['retry-after']) || 1
      if (status !== 429 || limit.waits === MAX_WAITS || seconds > MAX_WAIT_S) return { sent, answer, hasWaited }
      // Of calls that left together, only the first counts.
      if (limit.until <= Date.now()) limit.waits++
      limit.until = Math.max(limit.until, Date.now() + seconds * 1000)
      onRateLimited({ sent, answer }, seconds)
    }
  }

  /** One after the other over one connection. Like a browser, it retries once where the host has closed it. */
  async function exchangeSequence(calls: readonly Call[]): Promise<Exchange[]> {
    const { Agent } = host.protocol === 'https:' ? https : http
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const exchanges: Exchange[] = []
    let mayConnect = true
    for (const call of calls) {
      let isReused = false
      const onConnection = (is: boolean) => {
        isReused = is
      }
      const first = await exchange(call, { agent, onConnection })
      const isClosed = first.answer.status === 0 && isReused
      const last = isClosed ? await exchange(call, { agent }) : first
      const isReconnected = !mayConnect && !last.hasWaited && (isClosed || !isReused) && last.answer.status > 0
      exchanges.push({ ...last, isReconnected })
      const { connection, 'content-length': length } = last.answer.headers
      // After HEAD without a length, Node's client connects anew by itself.
      mayConnect = /\bclose\b/i.test(String(connection)) || (call.method === 'HEAD' && length === undefined)
    }
    agent.destroy()
    return exchanges
  }

  /** All at once: each holds its last byte back until all others have sent the rest. */
  function exchangeTogether(calls: readonly Call[]): Promise<Exchange[]> {
    let missing = calls.length
    let open = () => {}
    const gathered = new Promise<void>((resolve) => {
      open = resolve
    })
    const barrier = () => {
      if (--missing === 0) open()
      return Promise.race([gathered, sleep(BARRIER_MS)])
    }
    return Promise.all(calls.map((call) => exchange(call, { barrier })))
  }

  const secrets = secretsOf(host, ownHeaders)

  return {
    exchange,
    exchangeSequence,
    exchangeTogether,
    answered,
    /** A text without the values of `--header`, even where an answer repeats them. */
    redact: (text: string) => secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), text),
    cookies: {
      /** The last Set-Cookie line of the XSRF cookie. */
      token: () => cookies.get(TOKEN)?.line,
      /** From now on it is a new visitor's. */
      forget: () => cookies.clear(),
      /** Why cookies of that name were not kept, each told once. */
      dropped: () => dropped.splice(0).filter((why) => why.startsWith(`${TOKEN}:`)),
    },
    /** Aborts the calls in flight, and sends no more. */
    stop: () => stopping.abort(),
    stopped: once(stopping.signal, 'abort').then(() => null),
    isStopped: () => stopping.signal.aborted,
  }
}

/** Shorter parts of a header are words such as `true`. */
const MIN_SECRET_LENGTH = 6

/** The longest first, since one may contain another. */
function secretsOf({ username, password }: URL, headers: Readonly<Record<string, string>>): string[] {
  const values = Object.values(headers)
  const parts = values.flatMap((value) => value.split(/[\s,;=]+/))
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return [...values, ...parts, password, decodeURIComponent(password), btoa(credentials)]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .toSorted((one, other) => other.length - one.length)
}

const joinCookies = (...cookies: (string | readonly string[] | null | undefined)[]) =>
  cookies.flat().filter(Boolean).join('; ')

/** Never rejects: where no answer comes, `status` is 0 and `body` says why. */
async function answerOf(
  url: URL,
  { method, headers, body }: Call,
  { agent, barrier, onConnection }: Transport,
  stopped: AbortSignal,
  timeoutMs: number,
): Promise<Answer> {
  if (stopped.aborted) return noAnswer('not sent')
  const { request } = url.protocol === 'https:' ? https : http
  const isChunked = Boolean(headers['transfer-encoding'])
  const all = { 'content-length': isChunked ? null : String(body.length), ...headers }
  const sent = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [[name, typeof value === 'string' ? value : [...value]]],
  )
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([stopped, timeout])
  const outgoing = request(url, { method, headers: Object.fromEntries(sent), agent: agent ?? false, signal })
  outgoing.on('socket', () => onConnection?.(outgoing.reusedSocket))
  // A host may answer and close before the whole body has arrived: the answer counts.
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject)
    outgoing.on('upgrade', () => reject(new Error('another protocol than HTTP')))
    outgoing.on('close', () => reject(new Error('the connection was closed')))
  })
  if (isChunked) {
    const size = Math.ceil(body.length / CHUNKS)
    for (let start = 0; start < body.length; start += size) outgoing.write(body.subarray(start, start + size))
    outgoing.end()
  } else if (barrier) outgoing.write(body.subarray(0, -1), async () => outgoing.end(await lastByte(body, barrier)))
  else outgoing.end(body)
  let incoming: IncomingMessage | undefined
  try {
    incoming = await answered
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of incoming) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) return noAnswer('an answer of more than 1 MiB')
      chunks.push(chunk)
    }
    // Without a length, an answer that was cut off looks complete.
    signal.throwIfAborted()
    if (!incoming.complete) return noAnswer('the connection was closed amid the answer')
    const { statusCode: status = 0, httpVersion } = incoming
    // HTTP/1.0 closes the connection unless it says otherwise.
    const more = httpVersion === '1.0' ? { connection: 'close' } : {}
    return { status, headers: { ...more, ...incoming.headers }, body: `${Buffer.concat(chunks)}` }
  } catch (error) {
    if (timeout.aborted) return noAnswer(`no whole answer in ${timeoutMs / 1000} s`)
    if (incoming) return noAnswer('the connection was closed amid the answer')
    const { code, message } = error as NodeJS.ErrnoException // Node's own, or one of those above.
    return noAnswer(code ?? message)
  } finally {
    if (!incoming?.complete) outgoing.destroy()
  }
}

async function lastByte(body: Buffer, barrier: () => Promise<void>): Promise<Buffer> {
  await barrier()
  return body.subarray(-1)
}

const noAnswer = (why: string): Answer => ({ status: 0, headers: {}, body: why })
