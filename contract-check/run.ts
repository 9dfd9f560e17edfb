import { checksElsewhere, checksOf } from './checks.ts'
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

export type Progress = {
  trying(done: number, all: number, what: string): void
  waiting(path: string, seconds: number): void
}

export type Run = ReturnType<typeof startRun>

const LIMITED = 'too-many-requests'

/** Holds a host to the contract; the results are filled until the run has ended. */
export function startRun(host: URL, { header = {}, only = '', quick, seed, runs }: Options, progress?: Progress) {
  const operations = readContract()
  const ofOperations = operations.flatMap((operation) =>
    checksOf(operation, seed, runs).map((check) => ({ ...check, operation })),
  )
  const elsewhere = checksElsewhere(operations.map(({ path }) => path))
  const checks = [...ofOperations, ...elsewhere.map((check) => ({ ...check, operation: undefined }))]
    .map(({ operation, outcome, title, run }) => {
      const [name, verdict] = [operation?.name ?? 'elsewhere', run ? 'not tried' : 'not from outside'] as const
      const result: Result = { operation: name, outcome, title, verdict, notes: [], breaks: [] }
      return { operation, run, result, words: `${name} ${outcome} ${title}` }
    })
    .filter(({ words }) => words.toLowerCase().includes(only.toLowerCase()))
    .filter(({ result }, i, all) => !quick || result.outcome !== all[i - 1]?.result.outcome)
  const client = createClient(host, header, limited)

  function limited(exchange: Exchange, seconds: number) {
    const { path } = exchange.sent
    progress?.waiting(path, seconds)
    const limit = checks.find(({ operation, result }) => result.outcome === LIMITED && operation?.path === path)
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
    let why = await whyUnreachable()
    for (const [done, { operation, run, result, words }] of checks.entries()) {
      if (!run) continue
      progress?.trying(done, checks.length, words)
      const trial = createTrial(client, operation, result)
      if (why === null) await run(trial)
      // Who still answers another call has dropped this one.
      if (trial.isLost()) why = await whyUnreachable()
      if (why !== null) Object.assign(result, { verdict: 'not reachable', notes: [why], breaks: [] })
      else if (result.verdict === 'not tried') result.verdict = result.breaks.length > 0 ? 'broken' : 'held'
    }
  }

  const results: readonly Result[] = checks.map(({ result }) => result)
  return { results, answered: client.answered, ended: tryAll() }
}
