import { type Answer, type Operation, parseJson, readContract } from '../operations.ts'
import { type Check, createContext } from './check.ts'
import { type Call, createClient, type Exchange } from './client.ts'
import { jsonOf, request } from './requests.ts'
import { HOST_HINT, printable, type Result, type Verdict, violationOf } from './result.ts'
import { checksOf } from './table/index.ts'
import { uncheckedIn } from './unchecked.ts'

export type Options = {
  /** Go with every call. */
  readonly header?: Readonly<Record<string, string>>
  /** Where visitors find the page, if not where the host is. */
  readonly origin?: string
  /** A part of the operation, the outcome or the title, in any case. */
  readonly only?: string
  /** The first check of each outcome. */
  readonly quick?: boolean
  /** Kills the backend and starts it again. */
  readonly restart?: string
  readonly seed: number
  readonly runs: number
  /** Seconds for the whole. */
  readonly timeout?: number
  /** For one call. The page gives up after ten seconds. */
  readonly callTimeoutMs?: number
}

export type Run = ReturnType<typeof startRun>

/** Between two lines of progress. */
const PROGRESS_MS = 5000

const LIMITED = 'too-many-requests'

/** OpenSSL's errors for a certificate of an authority that is not known here. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/

/** Checks a host against the contract. The results fill until the run has ended; `onProgress` gets a line for each wait and every few seconds. */
export function startRun(host: URL, options: Options, onProgress: (line: string) => void = () => {}) {
  const {
    header = {},
    only = '',
    origin = host.origin,
    quick,
    restart = '',
    seed,
    runs,
    timeout = 120,
    callTimeoutMs = 10_000,
  } = options
  const operations = readContract()
  const all = checksOf(operations, { origin, seed, runs, restart })
  const checks = all
    .filter(({ operation, outcome, title }) =>
      `${operation.name} ${outcome} ${title}`.toLowerCase().includes(only.toLowerCase()),
    )
    .filter(({ operation, outcome }, i, all) => {
      const before = all[i - 1]
      return !quick || outcome !== before?.outcome || operation !== before.operation
    })
  const results = checks.map((check) => resultOf(check, check.run ? 'not run' : 'skipped'))
  const client = createClient(host, header, onRateLimited, callTimeoutMs)
  let done = 0
  /** Why the checks could not begin, or go on. */
  let abortReason: string | null = null
  let stopReason: string | null = null

  function onRateLimited(exchange: Exchange, seconds: number) {
    const { path } = exchange.sent
    onProgress(`${done} of ${checks.length} checks done; ${path} is rate limited for ${seconds} s`)
    const i = checks.findIndex(({ operation, outcome }) => outcome === LIMITED && operation.path === path)
    const limit = checks[i]
    if (!limit || results[i]?.verdict === 'failed') return
    const differences = limit.operation.responses.get(exchange.answer.status)?.differences(exchange.answer) ?? []
    const violations = differences.length > 0 ? [violationOf(exchange, differences, client.redact)] : []
    const check = { ...limit, title: 'a rate limit says how long to wait' }
    results[i] = resultOf(check, violations.length > 0 ? 'failed' : 'passed', { violations })
  }

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange({ method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) })
    if (answer.status > 0 || client.isStopped()) return null
    const isUntrusted = UNTRUSTED.test(answer.body)
    return `is not reachable: ${answer.body}${isUntrusted ? '. Set NODE_EXTRA_CA_CERTS to the file of its authority’s certificate' : ''}`
  }

  /** Why this is not the backend: none of a few calls gets an answer of the contract. */
  async function whyNotTheBackend(): Promise<string | null> {
    const [first, ...others] = operations.flatMap((operation) => {
      const json = jsonOf(operation)
      return [json, '{}', json.slice(0, -1)].map((body) => ({ operation, call: request(operation, { body }) }))
    })
    const ask = async ({ operation, call }: { operation: Operation; call: Call }) => {
      const { answer } = await client.exchange(call)
      return { isOurs: isDocumented(answer, operation), line: `${call.method} ${call.path}: ${summaryOf(answer)}` }
    }
    if (!first) return null
    const asked = [await ask(first)]
    if (!asked[0]?.isOurs) asked.push(...(await Promise.all(others.map(ask))))
    if (client.isStopped() || asked.some(({ isOurs }) => isOurs)) return null
    const lines = [...new Set(asked.map(({ line }) => line))]
    return printable(client.redact(['does not look like the backend', ...lines, HOST_HINT].join('\n  ')), 1200)
  }

  async function runCheck(check: Check, run: NonNullable<Check['run']>): Promise<Result> {
    if (abortReason !== null) return resultOf(check, 'unreachable', { notes: [abortReason] })
    if (client.isStopped()) return resultOf(check, 'not run')
    const started = performance.now()
    const context = createContext(client, check)
    await run(context)
    const milliseconds = Math.round(performance.now() - started)
    // A host that answers another call has dropped this one: that is a violation.
    if (context.isLost()) abortReason = await whyUnreachable()
    if (abortReason !== null) return resultOf(check, 'unreachable', { notes: [abortReason], milliseconds })
    const { skippedAs, notes, violations } = context.findings()
    const verdict = skippedAs ?? (client.isStopped() ? 'not run' : 'passed')
    return resultOf(check, violations.length > 0 ? 'failed' : verdict, { notes, violations, milliseconds })
  }

  async function runAll() {
    let now = ''
    const progress = setInterval(() => onProgress(`${done} of ${checks.length} checks done${now}`), PROGRESS_MS)
    const ending = setTimeout(stop, timeout * 1000, `${timeout} s are over; --timeout gives more`)
    if (checks.length > 0) abortReason = (await whyUnreachable()) ?? (await whyNotTheBackend())
    for (const [i, check] of checks.entries()) {
      now = `; now ${check.operation.name} ${check.outcome}: ${check.title}`
      if (check.run) results[i] = await runCheck(check, check.run)
      done++
    }
    clearInterval(progress)
    clearTimeout(ending)
  }

  /** Aborts the calls in flight. Checks that have not ended are left as not run. */
  function stop(why: string) {
    stopReason ??= why
    client.stop()
  }

  return {
    results,
    /** What was not checked. */
    unchecked: () => uncheckedIn(results, all.length - checks.length),
    answered: client.answered,
    startedAt: new Date(),
    ended: runAll(),
    stop,
    abortReason: () => abortReason,
    stopReason: () => stopReason,
  }
}

const resultOf = (
  { operation, outcome, title, rule }: Check,
  verdict: Verdict,
  more: Partial<Result> = {},
): Result => ({
  operation: operation.name,
  outcome,
  title,
  rule,
  verdict,
  notes: [],
  violations: [],
  milliseconds: 0,
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
