import { checksOf } from './checks.ts'
import { createClient, type Exchange } from './client.ts'
import { readContract } from './contract.ts'
import { request } from './requests.ts'
import { breakOf, createTrial, type Result } from './trial.ts'

export type Options = {
  /** Go with every call. */
  readonly header?: Readonly<Record<string, string>>
  /** A part of the operation, the outcome or the title, in any case. */
  readonly only?: string
  /** The first check of each outcome. */
  readonly quick?: boolean
  readonly seed: number
  readonly runs: number
}

export type Run = ReturnType<typeof startRun>

/** Milliseconds from one word of how far it is to the next. */
const TELLING = 5000

const LIMITED = 'too-many-requests'

/** Holds a host to the contract; the results are filled until the run has ended, and `tell` hears of each waiting, and how far it is. */
export function startRun(host: URL, options: Options, tell: (waiting: string) => void = () => {}) {
  const { header = {}, only = '', quick, seed, runs } = options
  const checks = checksOf(readContract(), seed, runs)
    .map((check) => {
      const [operation, verdict] = [
        check.operation?.name ?? 'elsewhere',
        check.run ? 'not tried' : 'not from outside',
      ] as const
      const result: Result = { operation, outcome: check.outcome, title: check.title, verdict, notes: [], breaks: [] }
      return { ...check, result }
    })
    .filter(({ result: { operation, outcome, title } }) =>
      `${operation} ${outcome} ${title}`.toLowerCase().includes(only.toLowerCase()),
    )
    .filter(({ outcome }, i, all) => !quick || outcome !== all[i - 1]?.outcome)
  const results: readonly Result[] = checks.map(({ result }) => result)
  const client = createClient(host, header, limited)
  let done = 0

  function limited(exchange: Exchange, seconds: number) {
    const { path } = exchange.sent
    tell(`${done} of ${checks.length} checks done; ${path} takes more in ${seconds} s`)
    const limit = checks.find(({ operation, outcome }) => outcome === LIMITED && operation?.path === path)
    if (!limit || limit.result.verdict === 'broken') return
    const differences = limit.operation?.answers.get(exchange.answer.status)?.(exchange.answer) ?? []
    const breaks = differences.length > 0 ? [breakOf(exchange, differences)] : []
    const title = 'calls that are too many are told how long to wait'
    Object.assign(limit.result, { title, verdict: breaks.length > 0 ? 'broken' : 'held', breaks })
  }

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange(request('GET', '/', '', { 'content-type': '' }))
    return answer.status === 0 ? answer.body : null
  }

  async function tryAll() {
    const telling = setInterval(() => tell(`${done} of ${checks.length} checks done`), TELLING).unref()
    let why = await whyUnreachable()
    for (const { operation, run, result } of checks) {
      const trial = createTrial(client, operation, result)
      if (why === null) await run?.(trial)
      // Who still answers another call has dropped this one.
      if (trial.isLost()) why = await whyUnreachable()
      if (run && why !== null) Object.assign(result, { verdict: 'not reachable', notes: [why], breaks: [] })
      else if (result.verdict === 'not tried') result.verdict = result.breaks.length > 0 ? 'broken' : 'held'
      done++
    }
    clearInterval(telling)
  }

  return { results, answered: client.answered, ended: tryAll() }
}
