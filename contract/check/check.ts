import { type Answer, type Difference, type Operation, parseJson, toJson } from '../operations.ts'
import type { Call, Client, Exchange } from './client.ts'
import { differencesIn } from './evaluation.ts'
import { type RequestOptions, request } from './requests.ts'
import { type Violation, violationOf } from './result.ts'

/** One line of the report. */
export type Check = {
  readonly operation: Operation
  /** The name of an example in the contract. */
  readonly outcome: string
  readonly title: string
  /** The contract's sentence that it holds a backend to, word for word: a test looks for it there. */
  readonly rule: string
  /** Missing where the outcome is not testable from outside. */
  readonly run?: (context: CheckContext) => Promise<unknown>
}

/**
 * The statuses that the contract allows; with 200, `success` has to be true. Or 200 and this `email_exists`, with the
 * reason as the report tells it.
 */
export type Expected = number | readonly number[] | { readonly emailExists: boolean; readonly why: string }

/** Calls that all expect the same. */
export type Step = readonly [expected: Expected, ...calls: Call[]]

/** An answer, with its body as an object. */
type Evaluated = Answer & { readonly value: Readonly<Record<string, unknown>> }

export type CheckContext = ReturnType<typeof createContext>

/** Requests that all expect the same, or what a check does that is more than that. */
type Row = readonly RequestOptions[] | NonNullable<Check['run']>

/**
 * Rows of the table, by their titles, that hold a backend to one sentence of the contract. All requests of a row expect
 * the same; a row that is a function says itself what it expects.
 */
export const rowsOf =
  (operation: Operation, outcome: string, expected: Expected = 200) =>
  (rule: string, rows: Readonly<Record<string, Row>>): Check[] =>
    Object.entries(rows).flatMap(([title, row]): Check[] => {
      if (typeof row === 'function') return [{ operation, outcome, title, rule, run: row }]
      const calls = row.map((options) => request(operation, options))
      return calls.length > 0 ? [{ operation, outcome, title, rule, run: ({ each }) => each(expected, ...calls) }] : []
    })

/** How a check calls the host, and what it has found there. */
export function createContext(client: Client, { operation }: Pick<Check, 'operation'>) {
  const notes: string[] = []
  const violations: Violation[] = []
  let first: Exchange | undefined
  let last: Exchange | undefined
  let isLost = false
  let skippedAs: 'skipped' | 'not run' | null = null

  function record(exchange: Exchange, differences: readonly Difference[]) {
    if (differences.length === 0) return
    const isLater = first && first.sent !== exchange.sent
    violations.push(violationOf(exchange, differences, client.redact, isLater ? first : undefined))
  }

  /** Records how an answer differs. After a stop, no answer says nothing about the host. */
  function evaluated(exchange: Exchange, expected: Expected): Evaluated {
    const { answer } = exchange
    isLost ||= answer.status === 0
    last = exchange
    const value = Object(parseJson(answer.body))
    if (answer.status === 0 && client.isStopped()) return { ...answer, value }
    const statuses = typeof expected === 'object' && 'why' in expected ? [200] : [expected].flat()
    const differences = differencesIn(exchange, statuses, operation)
    record(exchange, differences.length > 0 ? differences : existsDifferences(expected, value))
    return { ...answer, value }
  }

  /** A host that does not answer costs 10 s: one such call a check is enough. */
  async function send(expected: Expected, calls: readonly Call[], isSequence: boolean): Promise<Evaluated> {
    let answer: Evaluated = { status: 0, headers: {}, body: '', value: {} }
    for (const call of calls) {
      if (isLost) break
      const exchange = await client.exchange(call)
      first = isSequence ? (first ?? exchange) : undefined
      answer = evaluated(exchange, expected)
    }
    return answer
  }

  return {
    /** Sends calls that have nothing to do with each other. */
    each: (expected: Expected, ...calls: Call[]) => send(expected, calls, false),
    /** Begins a sequence: what comes next has to fit its first call. Like `next`, it returns the last answer. */
    first(expected: Expected, ...calls: Call[]) {
      first = undefined
      return send(expected, calls, true)
    },
    next: (expected: Expected, ...calls: Call[]) => send(expected, calls, true),
    /** Sends calls so that they arrive at once. */
    async together(expected: Expected, calls: readonly Call[]) {
      first = undefined
      return (await client.exchangeTogether(calls)).map((exchange) => evaluated(exchange, expected))
    },
    /** Sends calls over one connection, one after the other. */
    async overOneConnection(...steps: Step[]) {
      first = undefined
      const calls = steps.flatMap(([expected, ...calls]) => calls.map((call) => ({ expected, call })))
      const exchanges = await client.exchangeSequence(calls.map(({ call }) => call))
      return exchanges.map((exchange, i) => {
        const answer = evaluated(exchange, calls[i]?.expected ?? [])
        const before = exchanges[i - 1]
        const expected = "the connection takes the next call, or the answer says 'Connection: close'"
        if (exchange.isReconnected && before?.answer.status) record(before, [{ expected, actual: 'it was closed' }])
        return answer
      })
    },
    /** Records a violation of the last answer unless `holds`. `rule` is the contract's, if not that of the check. */
    assert(holds: boolean, expected: string, actual: string, rule?: string) {
      if (last && !holds && !isLost) record(last, [{ expected, actual, ...(rule && { rule }) }])
    },
    note(text: string) {
      if (!notes.includes(text)) notes.push(text)
    },
    /** Ends the check without a result, and says why. */
    skip(why: string, verdict: 'skipped' | 'not run' = 'skipped') {
      skippedAs = verdict
      notes.push(why)
    },
    findings: () => ({ skippedAs, notes, violations }),
    /** Sends a call whose answer may be anything. */
    exchange: client.exchange,
    /** Records how the answer of such a call differs after all. */
    evaluate: evaluated,
    record,
    stopped: client.stopped,
    isStopped: client.isStopped,
    cookies: client.cookies,
    /** Whether a call got no answer. */
    isLost: () => isLost,
  }
}

function existsDifferences(expected: Expected, { email_exists }: Evaluated['value']): Difference[] {
  if (typeof expected !== 'object' || !('why' in expected) || email_exists === expected.emailExists) return []
  return [{ expected: `email_exists ${expected.emailExists}${expected.why}`, actual: toJson(email_exists) }]
}
