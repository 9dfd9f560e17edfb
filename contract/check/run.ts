import { type Answer, type Operation, readContract } from '../operations.ts'
import { createClient, PING } from './client.ts'
import { createContext, type Row } from './context.ts'
import { request } from './requests.ts'
import { tableOf } from './table/index.ts'
import { printable, type Violation } from './violation.ts'

/**
 * The options, as the command's help explains them. A call may take as long as the page waits for it, unless
 * `callTimeoutMs` says otherwise.
 */
export type Options = {
  readonly header?: Readonly<Record<string, string>>
  readonly origin?: string
  readonly only?: string
  readonly restart?: string
  readonly timeout?: number
  readonly callTimeoutMs?: number
}

export type Verdict = 'passed' | 'failed' | 'not run' | 'skipped'

export type Result = Pick<Row, 'outcome' | 'title' | 'rule'> & {
  readonly operation: string
  readonly verdict: Verdict
  /** Why the row was skipped. */
  readonly skipped: string | null
  readonly violations: readonly Violation[]
  readonly milliseconds: number
}

export type Run = ReturnType<typeof startRun>

const PROGRESS_MS = 5000

/** What to do where a backend refuses whatever comes from here. */
export const HOST_HINT =
  'If the backend knows itself or the page by another name, call it by that name, or say where visitors find the page: --origin https://their.site'

/** OpenSSL's errors for a certificate of an authority that is not known here. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/

const operations = readContract()

/**
 * Checks a host against the contract. The results fill until the run has ended; `onProgress` gets a line for each wait
 * and every few seconds.
 */
export function startRun(host: URL, options: Options, onProgress: (line: string) => void = () => {}) {
  const { header = {}, only = '', origin = host.origin, restart = '', timeout = 120, callTimeoutMs = 10_000 } = options
  const all = tableOf(operations, origin, restart)
  const rows = all.filter(({ operation, outcome, title }) =>
    `${operation.name} ${outcome} ${title}`.toLowerCase().includes(only.toLowerCase()),
  )
  const notRun = ({ operation: { name: operation }, outcome, title, rule }: (typeof rows)[number]): Result => {
    return { operation, outcome, title, rule, verdict: 'not run', skipped: null, violations: [], milliseconds: 0 }
  }
  const results = rows.map(notRun)
  let [done, now] = [0, '']
  const client = createClient(host, header, callTimeoutMs, (path, seconds) =>
    onProgress(`${done} of ${rows.length} checks done; ${path} is rate limited for ${seconds} s`),
  )
  let stopReason: string | null = null
  let isBroken = false

  /** Aborts the calls in flight. Rows that have not ended are left as not run. */
  function stop(why: string) {
    stopReason ??= why
    client.stop()
  }

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange(PING)
    if (answer.status > 0 || client.isStopped()) return null
    const hint = '. Set NODE_EXTRA_CA_CERTS to the file of its authority’s certificate'
    return `the host is not reachable: ${answer.body}${UNTRUSTED.test(answer.body) ? hint : ''}`
  }

  /** Why this is not the backend: no operation answers as the contract says. */
  async function whyNotTheBackend(): Promise<string | null> {
    const lines: string[] = []
    for (const operation of operations) {
      const { answer } = await client.exchange(request(operation))
      if (client.isStopped() || isDocumented(answer, operation)) return null
      lines.push(`POST ${operation.path}: ${summaryOf(answer)}`)
    }
    return printable(client.redact(['it does not look like the backend', ...lines, HOST_HINT].join('\n  ')), 1200)
  }

  async function run(row: (typeof rows)[number]): Promise<Partial<Result>> {
    const { operation, outcome } = row
    const context = createContext(client, operation, stop)
    if ('run' in row) await row.run(context)
    else {
      const statuses = [operation.outcomes.get(outcome) ?? 200, ...(row.or ?? [])]
      await context.each(statuses, ...row.requests.map((one) => request(operation, one)))
    }
    const { skipped, violations, isLost } = context.findings()
    // A host that answers another call has dropped this one: that is a violation.
    const why = isLost ? await whyUnreachable() : null
    if (why !== null) stop(why)
    if (violations.length > 0 && why === null) return { verdict: 'failed', violations }
    return { verdict: client.isStopped() ? 'not run' : skipped ? 'skipped' : 'passed', skipped }
  }

  async function runAll() {
    const progress = setInterval(() => onProgress(`${done} of ${rows.length} checks done${now}`), PROGRESS_MS)
    const ending = setTimeout(() => {
      const limits =
        client.counts.limited > 0 ? 'rate limits took of them: switch them off while it runs' : '--timeout gives more'
      stop(`${timeout} s are over${now}; ${limits}`)
    }, timeout * 1000)
    try {
      const why = rows.length > 0 ? ((await whyUnreachable()) ?? (await whyNotTheBackend())) : null
      if (why !== null) stop(why)
      for (const [i, row] of rows.entries()) {
        if (client.isStopped()) break
        now = `; now ${row.operation.name} ${row.outcome}: ${row.title}`
        const started = performance.now()
        const found = await run(row)
        results[i] = { ...notRun(row), ...found, milliseconds: Math.round(performance.now() - started) }
        done++
      }
    } catch (error) {
      isBroken = true
      stop(`an error in the check itself, not in the backend${now}: ${error}`)
    }
    clearInterval(progress)
    clearTimeout(ending)
  }

  /** What a run leaves unchecked, so that nobody takes its green for more. */
  function unchecked(): string[] {
    return [
      ...new Set(results.flatMap(({ skipped }) => skipped ?? [])),
      `that what is acknowledged outlives a crash of the machine${restart ? '' : ', or of the process: see --restart'}`,
      'that nothing is stored twice, and nothing but what was sent; how long an Idempotency-Key stays bound',
      'the answers when nothing can be stored (503), after an internal error (500), and to what is declined',
      ...(client.counts.limited > 0 ? [] : ['how calls are limited (429): none was']),
      'that calls from pages of another site are refused: a backend may take them',
      ...(rows.length < all.length ? [`the ${all.length - rows.length} checks that --only leaves out`] : []),
    ]
  }

  return {
    results,
    counts: client.counts,
    startedAt: new Date(),
    ended: runAll(),
    stop,
    unchecked,
    /** Why the run ended before its end; null if it did not. */
    stopReason: () => stopReason,
    /** Whether an error in the check itself ended the run. */
    isBroken: () => isBroken,
  }
}

/** Whether an answer looks like one of the operation: of a documented status, and as JSON. */
const isDocumented = ({ status, headers }: Answer, { responses }: Operation): boolean =>
  responses.has(status) && status !== 404 && /^application\/(problem\+)?json\b/i.test(`${headers['content-type']}`)

function summaryOf({ status, headers, body }: Answer): string {
  if (status === 0) return `no answer: ${body}`
  const { location, 'content-type': type = 'no Content-Type' } = headers
  return `${status} ${type}${location ? `, Location: ${location}` : ''}`
}
