import { once, setMaxListeners } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../operations.ts'

export type Call = {
  readonly method: string
  readonly path: string
  /** A header that is null is not sent. */
  readonly headers: Readonly<Record<string, string | readonly string[] | null>>
  readonly body: Buffer
}

/** A call to find out whether the host is there: any answer tells so. */
export const PING: Call = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) }

/** `sent` is the call without the headers of `--header`, which may be secret. */
export type Exchange = {
  readonly sent: Call
  readonly answer: Answer
  /** The last answer 429 for which the call waited before it was sent again. */
  readonly limit?: Answer | undefined
  /** In a sequence: whether the call had to connect anew, though the answer before did not say so. */
  readonly isReconnected?: boolean
}

export type Client = ReturnType<typeof createClient>

/** How many chunks a body is sent in: so many that those of a short one end within a character. */
const CHUNKS = 100
/** The largest answer that is read; one of the contract has a few hundred bytes. */
const MAX_ANSWER_BYTES = 2 ** 20
/** The longest Retry-After that is waited for, and how often in a row. */
const MAX_WAIT_S = 3600
const MAX_WAITS = 5

/** Calls one host, by default over a new connection each time. After a 429 it waits as long as Retry-After says. */
export function createClient(
  host: URL,
  ownHeaders: Readonly<Record<string, string>>,
  callTimeoutMs: number,
  onWait: (path: string, seconds: number) => void,
) {
  const counts = { answers: 0, accepted: 0, limited: 0 }
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  async function exchange(sent: Call, agent?: http.Agent, onConnection?: (isReused: boolean) => void) {
    const url = new URL(host.pathname.replace(/\/$/, '') + sent.path, host)
    const cookie = [ownHeaders.cookie ?? [], sent.headers.cookie ?? []].flat().join('; ') || null
    const call = { ...sent, headers: { ...ownHeaders, ...sent.headers, cookie } }
    let limit: Answer | undefined
    for (let waits = 0; ; waits++) {
      const answer = await answerOf(url, call, stopping.signal, callTimeoutMs, agent, onConnection)
      if (answer.status > 0) counts.answers++
      if (answer.status === 200) counts.accepted++
      if (answer.status === 429) counts.limited++
      const seconds = Number(answer.headers['retry-after']) || 1
      if (answer.status !== 429 || seconds > MAX_WAIT_S || waits === MAX_WAITS) return { sent, answer, limit }
      limit = answer
      onWait(sent.path, seconds)
      await sleep(seconds * 1000, null, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Sends calls one after the other over one connection. Like a browser, it retries once if the host closed it. */
  async function exchangeSequence(calls: readonly Call[]): Promise<Exchange[]> {
    const { Agent } = host.protocol === 'https:' ? https : http
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const exchanges: Exchange[] = []
    let mayConnect = true
    for (const call of calls) {
      let isReused = false
      const first = await exchange(call, agent, (is) => {
        isReused = is
      })
      const isClosed = first.answer.status === 0 && isReused
      const last = isClosed ? await exchange(call, agent) : first
      const isReconnected = !mayConnect && !last.limit && (isClosed || !isReused) && last.answer.status > 0
      exchanges.push({ ...last, isReconnected })
      const { connection, 'content-length': length } = last.answer.headers
      // After HEAD without a length, Node's client connects anew by itself.
      mayConnect = /\bclose\b/i.test(String(connection)) || (call.method === 'HEAD' && length === undefined)
    }
    agent.destroy()
    return exchanges
  }

  return {
    counts,
    exchange: (call: Call): Promise<Exchange> => exchange(call),
    exchangeSequence,
    /** A text without the values of `--header`, should an answer repeat one. */
    redact: (text: string) =>
      Object.values(ownHeaders).reduce((text, value) => text.replaceAll(value, '[secret]'), text),
    /** Ends all calls, those that wait too. */
    stop: () => stopping.abort(),
    stopped: stopping.signal,
    isStopped: () => stopping.signal.aborted,
  }
}

/** Sends a call. Without a whole answer the status is 0, and the body says why. */
async function answerOf(
  url: URL,
  { method, headers, body }: Call,
  stopped: AbortSignal,
  timeoutMs: number,
  agent: http.Agent | undefined,
  onConnection?: (isReused: boolean) => void,
): Promise<Answer> {
  const { request } = url.protocol === 'https:' ? https : http
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const all = Object.entries({ 'content-length': isChunked ? null : `${body.length}`, ...headers })
  const sent = Object.fromEntries(all.flatMap(([name, value]) => (value === null ? [] : [[name, [value].flat()]])))
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([stopped, timeout])
  const outgoing = request(url, { method, headers: sent, agent: agent ?? false, signal })
  outgoing.on('socket', () => onConnection?.(outgoing.reusedSocket))
  // A host may answer and close before the whole body has arrived: the answer counts.
  outgoing.on('error', () => {})
  let incoming: IncomingMessage | undefined
  try {
    const answered = once(outgoing, 'response', { signal })
    const size = isChunked ? Math.ceil(body.length / CHUNKS) : body.length
    for (let start = 0; start < body.length; start += size) outgoing.write(body.subarray(start, start + size))
    outgoing.end()
    const [response]: IncomingMessage[] = await answered
    incoming = response
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of incoming ?? []) {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) return noAnswer('an answer of more than 1 MiB')
      chunks.push(chunk)
    }
    // Without a Content-Length, an answer that was cut off by the signal looks complete.
    signal.throwIfAborted()
    if (!incoming?.complete) return noAnswer('the connection was closed amid the answer')
    const { statusCode: status = 0, httpVersion } = incoming
    // HTTP/1.0 closes the connection unless it says otherwise.
    const more = httpVersion === '1.0' ? { connection: 'close' } : {}
    return { status, headers: { ...more, ...incoming.headers }, body: `${Buffer.concat(chunks)}` }
  } catch (error) {
    if (timeout.aborted) return noAnswer(`no whole answer in ${timeoutMs / 1000} s`)
    if (incoming) return noAnswer('the connection was closed amid the answer')
    const { code, message } = error as NodeJS.ErrnoException // The error is Node's.
    return noAnswer(code ?? message)
  } finally {
    if (!incoming?.complete) outgoing.destroy()
  }
}

const noAnswer = (why: string): Answer => ({ status: 0, headers: {}, body: why })
