import type { Check } from './check.ts'
import { checksOf } from './checks.ts'
import { createClient } from './client.ts'
import { type Operation, readContract } from './contract.ts'
import { createRequests } from './requests.ts'
import { type Break, breakOf, createTrial, newRecord } from './trial.ts'

export type Verdict = 'held' | 'broken' | 'not reachable' | 'not tried' | 'not from outside'

export type Result = {
  readonly operation: string
  readonly outcome: string
  readonly title: string
  readonly verdict: Verdict
  readonly notes: readonly string[]
  readonly breaks: readonly Break[]
}

export type Options = {
  readonly host: URL
  readonly headers?: Readonly<Record<string, string>>
  /** A part of the operation, the outcome or the title, in any case. */
  readonly only?: string
  readonly quick?: boolean
  readonly seed: number
  readonly runs: number
  readonly progress?: Progress
}

export type Progress = {
  trying(done: number, all: number, what: string): void
  waiting(path: string, seconds: number): void
}

export type Run = {
  readonly mark: string
  /** What is known so far, in the order of the table; final when `ended`. */
  results(): readonly Result[]
  times(): readonly number[]
  readonly ended: Promise<void>
}

const LIMITED = 'too-many-requests'
const ELSEWHERE = 'elsewhere'
const PAGE = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) }

/** Holds a host to the contract. Gives null if `only` leaves nothing. */
export function startRun({ host, headers = {}, only = '', quick = false, seed, runs, progress }: Options): Run | null {
  const operations = readContract()
  const requests = createRequests()
  const isWanted = (...words: string[]) => words.join(' ').toLowerCase().includes(only.toLowerCase())
  const checks = checksOf(operations, requests, seed, runs).filter(
    ({ operation, outcome, title, quick: isQuick }) =>
      isWanted(operation?.name ?? ELSEWHERE, outcome, title) && (isQuick || !quick),
  )
  if (checks.length === 0) return null

  const limits = new Map(operations.map(({ path }) => [path, { breaks: [] as Break[], met: false }]))
  const client = createClient({
    host,
    headers,
    limited(exchange, seconds) {
      const { path } = exchange.sent
      progress?.waiting(path, seconds)
      const differences = operations.find((operation) => operation.path === path)?.differences(exchange.answer) ?? []
      const limit = limits.get(path)
      if (!limit) return
      limit.met = true
      if (differences.length > 0 && limit.breaks.length === 0) limit.breaks.push(breakOf(exchange, differences))
    },
  })
  const isReachable = async () => (await client.exchange(PAGE)).answer.status > 0
  const results = new Map<Check, Result>()

  async function tryCheck(check: Check): Promise<Result> {
    const record = newRecord()
    await check.run(createTrial(client, requests.mark, check.operation, record))
    if (record.lostConnections > 0 && !(await isReachable())) return resultOf(check, 'not reachable')
    return { ...resultOf(check, record.breaks.length > 0 ? 'broken' : 'held'), ...record }
  }

  async function tryAll() {
    let isThere = await isReachable()
    for (const [done, check] of checks.entries()) {
      progress?.trying(done, checks.length, `${check.operation?.name ?? ELSEWHERE} ${check.outcome}: ${check.title}`)
      const result = isThere ? await tryCheck(check) : resultOf(check, 'not reachable')
      isThere = result.verdict !== 'not reachable'
      results.set(check, result)
    }
  }

  /** Outcomes of the catalogue that no check brings about. */
  function untried({ name, path, outcomes }: Operation): Result[] {
    const limit = limits.get(path)
    const made = checksOf([operationOf(name)], requests, seed, runs)
    return outcomes
      .filter((outcome) => !made.some((check) => check.outcome === outcome) && isWanted(name, outcome))
      .map((outcome) => {
        const met = outcome === LIMITED && limit?.met
        const title = met ? 'calls that are too many are told how long to wait' : 'can’t be caused from outside'
        const verdict = !met ? 'not from outside' : limit.breaks.length > 0 ? 'broken' : 'held'
        return { operation: name, outcome, title, verdict, notes: [], breaks: met ? limit.breaks : [] }
      })
  }
  const operationOf = (name: string) => operations.find((operation) => operation.name === name) as Operation

  const tried = () => checks.map((check) => results.get(check) ?? resultOf(check, 'not tried'))
  return {
    mark: requests.mark,
    results: () => [
      ...operations.flatMap((operation) => {
        const ours = [...tried(), ...untried(operation)].filter((result) => result.operation === operation.name)
        return operation.outcomes.flatMap((outcome) => ours.filter((result) => result.outcome === outcome))
      }),
      ...tried().filter(({ operation }) => operation === ELSEWHERE),
    ],
    times: () => client.times,
    ended: tryAll(),
  }
}

const resultOf = ({ operation, outcome, title }: Check, verdict: Verdict): Result => ({
  operation: operation?.name ?? ELSEWHERE,
  outcome,
  title,
  verdict,
  notes: [],
  breaks: [],
})
