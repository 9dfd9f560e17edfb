import { type Answer, type Operation, parseJson, readContract } from '../operations.ts'
import { createClient } from './client.ts'
import { createContext, type Row } from './context.ts'
import { jsonOf, request } from './requests.ts'
import { tableOf } from './table/index.ts'
import { printable, type Violation } from './violation.ts'

export type Options = {
  /** Go with every call. */
  readonly header?: Readonly<Record<string, string>>
  /** Where visitors find the page, if not where the host is. */
  readonly origin?: string
  /** A part of the operation, the outcome or the title, in any case. */
  readonly only?: string
  /** A command that kills the backend and starts it again. */
  readonly restart?: string
  /** Seconds for the whole. */
  readonly timeout?: number
  /** For one call. The page gives up after ten seconds. */
  readonly callTimeoutMs?: number
}

export type Verdict = 'passed' | 'failed' | 'not run' | 'skipped'

export type Result = Pick<Row, 'outcome' | 'title' | 'rule'> & {
  readonly operation: string
  readonly verdict: Verdict
  /** Why it was skipped. */
  readonly skipped: string | null
  readonly violations: readonly Violation[]
  readonly milliseconds: number
}

export type Run = ReturnType<typeof startRun>

/** Between two lines of progress. */
const PROGRESS_MS = 5000

/** What to do where a backend refuses whatever comes from here. */
export const HOST_HINT =
  'If the backend knows itself or the page by another name, call it by that name, or say where visitors find the page: --origin https://their.site'

/** OpenSSL's errors for a certificate of an authority that is not known here. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/

/** Checks a host against the contract. The results fill until the run has ended; `onProgress` gets a line for each wait and every few seconds. */
export function startRun(host: URL, options: Options, onProgress: (line: string) => void = () => {}) {
  const { header = {}, only = '', origin = host.origin, restart = '', timeout = 120, callTimeoutMs = 10_000 } = options
  const operations = readContract()
  const all = tableOf(operations, origin, restart)
  const rows = all.filter(({ operation, outcome, title }) =>
    `${operation.name} ${outcome} ${title}`.toLowerCase().includes(only.toLowerCase()),
  )
  const results = rows.map((row) => resultOf(row))
  const progressLine = () =>
    `${results.filter(({ verdict }) => verdict !== 'not run').length} of ${rows.length} checks done`
  const client = createClient(host, header, callTimeoutMs, (path, seconds) =>
    onProgress(`${progressLine()}; ${path} is rate limited for ${seconds} s`),
  )
  let stopReason: string | null = null
  let isBroken = false

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange({ method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) })
    if (answer.status > 0 || client.isStopped()) return null
    const hint = '. Set NODE_EXTRA_CA_CERTS to the file of its authority’s certificate'
    return `the host is not reachable: ${answer.body}${UNTRUSTED.test(answer.body) ? hint : ''}`
  }

  /** Why this is not the backend: none of a few calls gets an answer of the contract. */
  async function whyNotTheBackend(): Promise<string | null> {
    const lines = new Set<string>()
    for (const operation of operations)
      for (const body of [jsonOf(operation), '{}', '{']) {
        const { answer } = await client.exchange(request(operation, { body }))
        if (client.isStopped() || isDocumented(answer, operation)) return null
        lines.add(`POST ${operation.path}: ${summaryOf(answer)}`)
        // Waiting for another one would take as long.
        if (answer.status === 0) break
      }
    return printable(client.redact(['it does not look like the backend', ...lines, HOST_HINT].join('\n  ')), 1200)
  }

  async function run(row: (typeof rows)[number]): Promise<Result> {
    const started = performance.now()
    const context = createContext(client, row.operation, stop)
    if ('run' in row) await row.run(context)
    else {
      const { operation, outcome, requests, or = [] } = row
      await context.each(
        [operation.outcomes.get(outcome) ?? 200, ...or],
        ...requests.map((one) => request(operation, one)),
      )
    }
    const milliseconds = Math.round(performance.now() - started)
    // A host that answers another call has dropped this one: that is a violation.
    const { skipped, violations, isLost } = context.findings()
    const why = isLost ? await whyUnreachable() : null
    if (why !== null) stop(why)
    const verdict = client.isStopped() ? 'not run' : skipped ? 'skipped' : 'passed'
    const isFailed = violations.length > 0 && why === null
    return resultOf(row, { verdict: isFailed ? 'failed' : verdict, skipped, violations, milliseconds })
  }

  async function runAll() {
    let now = ''
    const progress = setInterval(() => onProgress(progressLine() + now), PROGRESS_MS)
    const ending = setTimeout(stop, timeout * 1000, `${timeout} s are over; --timeout gives more`)
    try {
      const why = rows.length > 0 ? ((await whyUnreachable()) ?? (await whyNotTheBackend())) : null
      if (why !== null) stop(why)
      for (const [i, row] of rows.entries()) {
        if (client.isStopped()) break
        now = `; now ${row.operation.name} ${row.outcome}: ${row.title}`
        results[i] = await run(row)
      }
    } catch (error) {
      isBroken = true
      stop(`an error in the check itself, not in the backend${now}: ${error}`)
    }
    clearInterval(progress)
    clearTimeout(ending)
  }

  /** Aborts the calls in flight. Rows that have not ended are left as not run. */
  function stop(why: string) {
    stopReason ??= why
    client.stop()
  }

  /** So that nobody takes its green for more. */
  function unchecked(): string[] {
    const durable = results.some(({ outcome, verdict }) => outcome === 'durable' && verdict === 'passed')
    const skipped = new Set(results.flatMap(({ skipped }) => skipped ?? []))
    return [
      ...skipped,
      `that what is acknowledged outlives a crash of the machine${durable ? '' : ', or of the process: see --restart'}`,
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
    /** Why it ended before its end. */
    stopReason: () => stopReason,
    /** Whether an error in the check itself ended it. */
    isBroken: () => isBroken,
  }
}

const resultOf = (
  { operation, outcome, title, rule }: Pick<Row, 'outcome' | 'title' | 'rule'> & { readonly operation: Operation },
  more: Partial<Result> = {},
): Result => ({
  ...{
    operation: operation.name,
    outcome,
    title,
    rule,
    verdict: 'not run',
    skipped: null,
    violations: [],
    milliseconds: 0,
  },
  ...more,
})

/** Whether an answer looks like one of the operation: a documented status, and JSON. */
function isDocumented({ status, headers, body }: Answer, { responses }: Operation): boolean {
  const isJson = /^application\/(problem\+)?json\b/i.test(String(headers['content-type']))
  return responses.has(status) && isJson && parseJson(body) !== undefined
}

function summaryOf({ status, headers, body }: Answer): string {
  if (status === 0) return `no answer: ${body}`
  const { location, 'content-type': type = 'no Content-Type' } = headers
  return `${status} ${type}${location ? `, Location: ${location}` : ''}`
}
