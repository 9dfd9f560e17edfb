import type { Check } from './check.ts'
import { checksOf } from './checks.ts'
import { createClient, type Exchange } from './client.ts'
import { readContract } from './contract.ts'
import { createRequests } from './requests.ts'
import { type Break, breakOf, createTrial, type Findings } from './trial.ts'

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
  /** In every address that was sent. */
  readonly mark: string
  /** What is known so far, in the order of the table. */
  results(): readonly Result[]
  /** Of every answer, in milliseconds. */
  readonly times: readonly number[]
  readonly ended: Promise<void>
}

const LIMITED = 'too-many-requests'
const PAGE = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) }

/** Holds a host to the contract. Gives null if `only` leaves nothing. */
export function startRun({ host, headers = {}, only = '', quick = false, seed, runs, progress }: Options): Run | null {
  const operations = readContract()
  const requests = createRequests()
  const words = (check: Check) => [nameOf(check), check.outcome, check.title].join(' ')
  const checks = checksOf(operations, requests, seed, runs).filter(
    (check) => words(check).toLowerCase().includes(only.toLowerCase()) && (check.quick || !quick),
  )
  if (checks.length === 0) return null

  const results = new Map<Check, Result>()
  const client = createClient({ host, headers, limited })

  function limited(exchange: Exchange, seconds: number) {
    progress?.waiting(exchange.sent.path, seconds)
    const check = checks.find(({ operation, outcome }) => outcome === LIMITED && operation?.path === exchange.sent.path)
    if (!check || results.get(check)?.verdict === 'broken') return
    const differences = check.operation?.differences(exchange.answer) ?? []
    const breaks = differences.length > 0 ? [breakOf(exchange, differences)] : []
    const title = 'calls that are too many are told how long to wait'
    results.set(check, { ...resultOf(check, breaks.length > 0 ? 'broken' : 'held'), title, breaks })
  }

  async function whyUnreachable(): Promise<string | null> {
    const { answer } = await client.exchange(PAGE)
    return answer.status === 0 ? answer.body : null
  }

  async function tryAll() {
    let why = await whyUnreachable()
    for (const [done, check] of checks.entries()) {
      if (!check.run) continue
      progress?.trying(done, checks.length, words(check))
      const found: Findings = { breaks: [], notes: [], isLost: false, isSkipped: false }
      if (why === null) await check.run(createTrial(client, requests.mark, check.operation, found))
      // Who still answers another call has dropped this one.
      if (found.isLost) why = await whyUnreachable()
      const tried = found.isSkipped ? 'not from outside' : found.breaks.length > 0 ? 'broken' : 'held'
      results.set(
        check,
        why === null ? { ...resultOf(check, tried), ...found } : { ...resultOf(check, 'not reachable'), notes: [why] },
      )
    }
  }

  return {
    mark: requests.mark,
    results: () =>
      checks.map((check) => results.get(check) ?? resultOf(check, check.run ? 'not tried' : 'not from outside')),
    times: client.times,
    ended: tryAll(),
  }
}

const nameOf = ({ operation }: Check) => operation?.name ?? 'elsewhere'

function resultOf(check: Check, verdict: Verdict): Result {
  const { outcome, title } = check
  return { operation: nameOf(check), outcome, title, verdict, notes: [], breaks: [] }
}
