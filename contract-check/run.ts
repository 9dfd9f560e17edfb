import { checksOf } from './checks.ts'
import { type Call, createClient, type Exchange } from './client.ts'
import { type Answer, jsonOf, type Operation, readContract } from './contract.ts'
import { bodyOf, request } from './requests.ts'
import { breakOf, createTrial, type Result, shown, type Trial } from './trial.ts'
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
  /** For one call: the page gives up after ten seconds. */
  readonly callTimeoutMs?: number
}

export type Run = ReturnType<typeof startRun>

/** Milliseconds from one word of how far it is to the next. */
const TELLING_MS = 5000

const LIMITED = 'too-many-requests'

/** Certificates that are right but not known here, by OpenSSL's names for it. */
const UNTRUSTED = /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/

/** Holds a host to the contract; the results are filled until the run has ended, and `tell` hears of each waiting, and how far it is. */
export function startRun(host: URL, options: Options, tell: (waiting: string) => void = () => {}) {
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
      const verdict = run ? 'not tried' : 'not from outside'
      const result: Result = {
        operation: operation.name,
        outcome,
        title,
        verdict,
        notes: [],
        breaks: [],
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
  const client = createClient(host, header, limited, callTimeoutMs)
  let done = 0
  /** Why nothing could be checked, or no more. */
  let trouble: string | null = null
  let stopped: string | null = null

  function limited(exchange: Exchange, seconds: number) {
    const { path } = exchange.sent
    tell(`${done} of ${checks.length} checks done; ${path} takes more in ${seconds} s`)
    const limit = checks.find(({ operation, outcome }) => outcome === LIMITED && operation.path === path)
    if (!limit || limit.result.verdict === 'broken') return
    const differences = limit.operation.answers.get(exchange.answer.status)?.(exchange.answer) ?? []
    const breaks = differences.length > 0 ? [breakOf(exchange, differences, client.hide)] : []
    const title = 'calls that are too many are told how long to wait'
    Object.assign(limit.result, { title, verdict: breaks.length > 0 ? 'broken' : 'held', breaks })
  }

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange(request('GET', '/', '', { 'content-type': null }))
    if (answer.status > 0 || client.isStopped()) return null
    const isUntrusted = UNTRUSTED.test(answer.body)
    return `is not reachable: ${answer.body}${isUntrusted ? '. Name the file of its authority’s certificate in NODE_EXTRA_CA_CERTS' : ''}`
  }

  /** One call of each kind is enough, if its answer is one of the contract's; else why this is something else. */
  async function whyNotTheBackend(): Promise<string | null> {
    const [first, ...others] = operations.flatMap((operation) => {
      const json = JSON.stringify(bodyOf(operation))
      return [json, '{}', json.slice(0, -1)].map((body) => ({ operation, call: request('POST', operation.path, body) }))
    })
    const ask = async ({ operation, call }: { operation: Operation; call: Call }) => {
      const { answer } = await client.exchange(call)
      return { isOurs: isSpoken(answer, operation), line: `${call.method} ${call.path}: ${summaryOf(answer)}` }
    }
    if (!first) return null
    const asked = [await ask(first)]
    if (!asked[0]?.isOurs) asked.push(...(await Promise.all(others.map(ask))))
    if (client.isStopped() || asked.some(({ isOurs }) => isOurs)) return null
    return shown(
      client.hide(['does not look like the backend', ...new Set(asked.map(({ line }) => line))].join('\n  ')),
    )
  }

  async function tryOne({ operation, run, result }: (typeof checks)[number]) {
    if (!run || trouble !== null || client.isStopped()) return
    const started = performance.now()
    const trial = createTrial(client, operation, result)
    await judged(run, trial, result)
    result.milliseconds = Math.round(performance.now() - started)
    // Who still answers another call has dropped this one.
    if (trial.isLost()) trouble = await whyUnreachable()
    if (trouble === null && !client.isStopped() && !trial.isSkipped()) result.verdict = 'held'
    if (trouble === null && result.breaks.length > 0) result.verdict = 'broken'
  }

  async function tryAll() {
    let now = ''
    const telling = setInterval(() => tell(`${done} of ${checks.length} checks done${now}`), TELLING_MS)
    const ending = setTimeout(stop, timeout * 1000, `${timeout} s are over; --timeout gives more`)
    trouble = (await whyUnreachable()) ?? (await whyNotTheBackend())
    for (const check of checks) {
      now = `; now ${check.operation.name} ${check.outcome}: ${check.title}`
      await tryOne(check)
      if (check.run && trouble !== null && check.result.verdict === 'not tried')
        Object.assign(check.result, { verdict: 'not reachable', notes: [trouble], breaks: [] })
      done++
    }
    clearInterval(telling)
    clearTimeout(ending)
  }

  /** Ends what is under way; the results are what is known by then. */
  function stop(why: string) {
    stopped ??= why
    client.stop()
  }

  return {
    results,
    /** What no result tells. */
    unchecked: () => uncheckedIn(results, all.length - checks.length),
    answered: client.answered,
    startedAt: new Date(),
    ended: tryAll(),
    stop,
    trouble: () => trouble,
    stopped: () => stopped,
  }
}

/** Whatever an answer does to a check, the run goes on. */
async function judged(run: (trial: Trial) => Promise<unknown>, trial: Trial, result: Result) {
  try {
    await run(trial)
  } catch (error) {
    const came = error instanceof Error ? (error.stack ?? error.message) : String(error)
    result.breaks.push({ sent: '', came, differences: [{ contract: UNJUDGED, came: 'this one' }] })
  }
}

/** A fault of the check's own. */
export const UNJUDGED = 'an answer that this check can read'

/** Whether an answer is one of the operation's, by its status, its type, and that it is JSON. */
function isSpoken({ status, headers, body }: Answer, { answers }: Operation): boolean {
  const isJson = /^application\/(problem\+)?json\b/i.test(String(headers['content-type']))
  return answers.has(status) && isJson && jsonOf(body) !== undefined
}

function summaryOf({ status, headers, body }: Answer): string {
  if (status === 0) return `no answer: ${body}`
  const { location, 'content-type': type = 'no Content-Type' } = headers
  return `${status} ${type}${location ? `, Location: ${location}` : ''}`
}
