import { type Answer, type Operation, parseJson, readContract } from '../contract/operations.ts'
import { checksOf } from './checks.ts'
import { type Call, createClient, type Exchange } from './client.ts'
import { type CheckContext, createContext, printable, type Result, violationOf } from './context.ts'
import { bodyOf, request } from './requests.ts'
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
    .map((check) => {
      const { operation, outcome, title, run } = check
      const verdict = run ? 'not run' : 'skipped'
      const result: Result = {
        operation: operation.name,
        outcome,
        title,
        verdict,
        notes: [],
        violations: [],
        milliseconds: 0,
      }
      return { ...check, result }
    })
    .filter(({ result: { operation, outcome, title } }) =>
      `${operation} ${outcome} ${title}`.toLowerCase().includes(only.toLowerCase()),
    )
    .filter(({ operation, outcome }, i, all) => {
      const before = all[i - 1]
      return !quick || outcome !== before?.outcome || operation !== before.operation
    })
  const results: readonly Result[] = checks.map(({ result }) => result)
  const client = createClient(host, header, onRateLimited, callTimeoutMs)
  let done = 0
  /** Why the checks could not begin, or go on. */
  let trouble: string | null = null
  let stopped: string | null = null

  function onRateLimited(exchange: Exchange, seconds: number) {
    const { path } = exchange.sent
    onProgress(`${done} of ${checks.length} checks done; ${path} is rate limited for ${seconds} s`)
    const limit = checks.find(({ operation, outcome }) => outcome === LIMITED && operation.path === path)
    if (!limit || limit.result.verdict === 'failed') return
    const differences = limit.operation.responses.get(exchange.answer.status)?.differences(exchange.answer) ?? []
    const violations = differences.length > 0 ? [violationOf(exchange, differences, client.hide)] : []
    const title = 'a rate limit says how long to wait'
    Object.assign(limit.result, { title, verdict: violations.length > 0 ? 'failed' : 'passed', violations })
  }

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange(request('GET', '/', '', { 'content-type': null }))
    if (answer.status > 0 || client.isStopped()) return null
    const isUntrusted = UNTRUSTED.test(answer.body)
    return `is not reachable: ${answer.body}${isUntrusted ? '. Set NODE_EXTRA_CA_CERTS to the file of its authority’s certificate' : ''}`
  }

  /** Why this is not the backend: none of a few calls gets an answer of the contract. */
  async function whyNotTheBackend(): Promise<string | null> {
    const [first, ...others] = operations.flatMap((operation) => {
      const json = JSON.stringify(bodyOf(operation))
      return [json, '{}', json.slice(0, -1)].map((body) => ({ operation, call: request('POST', operation.path, body) }))
    })
    const ask = async ({ operation, call }: { operation: Operation; call: Call }) => {
      const { answer } = await client.exchange(call)
      return { isOurs: isDocumented(answer, operation), line: `${call.method} ${call.path}: ${summaryOf(answer)}` }
    }
    if (!first) return null
    const asked = [await ask(first)]
    if (!asked[0]?.isOurs) asked.push(...(await Promise.all(others.map(ask))))
    if (client.isStopped() || asked.some(({ isOurs }) => isOurs)) return null
    return printable(
      client.hide(['does not look like the backend', ...new Set(asked.map(({ line }) => line))].join('\n  ')),
    )
  }

  async function runCheck({ operation, run, result }: (typeof checks)[number]) {
    if (!run || trouble !== null || client.isStopped()) return
    const started = performance.now()
    const context = createContext(client, operation, result)
    await runSafely(run, context, result)
    result.milliseconds = Math.round(performance.now() - started)
    // A host that answers another call has dropped this one: that is a violation.
    if (context.isLost()) trouble = await whyUnreachable()
    if (trouble === null && !client.isStopped() && !context.isSkipped()) result.verdict = 'passed'
    if (trouble === null && result.violations.length > 0) result.verdict = 'failed'
  }

  async function runAll() {
    let now = ''
    const progress = setInterval(() => onProgress(`${done} of ${checks.length} checks done${now}`), PROGRESS_MS)
    const ending = setTimeout(stop, timeout * 1000, `${timeout} s are over; --timeout gives more`)
    trouble = (await whyUnreachable()) ?? (await whyNotTheBackend())
    for (const check of checks) {
      now = `; now ${check.operation.name} ${check.outcome}: ${check.title}`
      await runCheck(check)
      if (check.run && trouble !== null && check.result.verdict === 'not run')
        Object.assign(check.result, { verdict: 'unreachable', notes: [trouble], violations: [] })
      done++
    }
    clearInterval(progress)
    clearTimeout(ending)
  }

  /** Aborts the calls in flight. Checks that have not ended are left as not run. */
  function stop(why: string) {
    stopped ??= why
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
    trouble: () => trouble,
    stopped: () => stopped,
  }
}

/** Whatever an answer does to a check, the run goes on. */
async function runSafely(run: (context: CheckContext) => Promise<unknown>, context: CheckContext, result: Result) {
  try {
    await run(context)
  } catch (error) {
    const response = error instanceof Error ? (error.stack ?? error.message) : String(error)
    result.violations.push({ request: '', response, differences: [{ expected: UNREADABLE, actual: 'this one' }] })
  }
}

/** A bug of the check itself. */
export const UNREADABLE = 'an answer that this check can read'

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
