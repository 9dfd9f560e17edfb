import { type Answer, type Difference, type Operation, parseJson, toJson } from '../operations.ts'
import type { Call, Client, Exchange } from './client.ts'
import { differencesIn } from './differences.ts'
import type { RequestOptions } from './requests.ts'
import { type Violation, violationOf } from './violation.ts'

/** A row of the table: what the contract says, and calls that show whether a backend does it. */
export type Row = {
  /** The contract's sentence, word for word: a test looks for it there. */
  readonly rule: string
  readonly title: string
  /** The name of an example in the contract. Each request has to be answered with its status, or with one of `or`. */
  readonly outcome: string
} & (
  | { readonly requests: readonly RequestOptions[]; readonly or?: readonly number[] }
  | { readonly run: (context: Context) => Promise<unknown> }
)

/**
 * The statuses that the contract allows, or 200 with this `email_exists`, and why. With 200 `success` has to be true.
 */
export type Expected = number | readonly number[] | { readonly emailExists: boolean; readonly why: string }

/** An answer, with its body as an object. */
export type Evaluated = Answer & { readonly value: Readonly<Record<string, unknown>> }

export type Context = ReturnType<typeof createContext>

/** What is wrong if the connection does not take the next call after an answer to HEAD. */
const WITH_BODY: Difference = {
  expected: 'no body after HEAD, and the connection takes the next call',
  actual: 'a body, or the connection was closed',
  rule: 'An answer to HEAD has no body.',
}

/** How a row calls the host, and what it has found there. `stop` ends the whole run. */
export function createContext(client: Client, operation: Operation, stop: (why: string) => void) {
  const violations: Violation[] = []
  let first: Exchange | undefined
  let last: Exchange | undefined
  let isLost = false
  let skipped: string | null = null

  function record(exchange: Exchange, differences: readonly Difference[], together: readonly Exchange[] = []) {
    const before = first && first.sent !== exchange.sent ? first : undefined
    const shown = { first: before, together }
    if (differences.length > 0) violations.push(violationOf(exchange, differences, client.redact, shown))
  }

  /** How an answer differs from what is expected. After a stop, a missing answer says nothing about the host. */
  function differencesOf(exchange: Exchange, expected: Expected): Difference[] {
    const { answer, limit } = exchange
    isLost ||= answer.status === 0
    last = exchange
    if (limit) record({ ...exchange, answer: limit }, operation.responses.get(429)?.differences(limit) ?? [])
    if (answer.status === 0 && client.isStopped()) return []
    const isExists = typeof expected === 'object' && 'why' in expected
    const differences = differencesIn(exchange, isExists ? [200] : [expected].flat(), operation)
    const exists = Object(parseJson(answer.body)).email_exists
    if (!isExists || differences.length > 0 || exists === expected.emailExists) return differences
    return [{ expected: `email_exists ${expected.emailExists}${expected.why}`, actual: toJson(exists) }]
  }

  const evaluated = ({ answer }: Exchange): Evaluated => ({ ...answer, value: Object(parseJson(answer.body)) })

  /** Sends calls up to one without an answer, which may cost 10 s: one such call a row is enough. */
  async function send(expected: Expected, calls: readonly Call[], isSequence: boolean): Promise<Evaluated> {
    let answer: Evaluated = { status: 0, headers: {}, body: '', value: {} }
    for (const call of calls) {
      if (isLost || client.isStopped()) break
      const exchange = await client.exchange(call)
      first = isSequence ? (first ?? exchange) : undefined
      record(exchange, differencesOf(exchange, expected))
      answer = evaluated(exchange)
    }
    return answer
  }

  return {
    /** Sends calls that have nothing to do with each other. Returns the last answer. */
    each: (expected: Expected, ...calls: Call[]) => send(expected, calls, false),
    /** Begins a sequence: what comes next has to fit its first call. */
    first(expected: Expected, ...calls: Call[]) {
      first = undefined
      return send(expected, calls, true)
    },
    next: (expected: Expected, ...calls: Call[]) => send(expected, calls, true),
    /** Sends calls that leave at once, of which `judge` says what is wrong with them as a whole. */
    async together(
      expected: Expected,
      calls: readonly Call[],
      judge: (answers: Evaluated[]) => Difference[] = () => [],
    ) {
      first = undefined
      const exchanges = await Promise.all(calls.map(client.exchange))
      const all = exchanges.map((exchange) => ({ exchange, differences: differencesOf(exchange, expected) }))
      const wrong = all.find(({ differences }) => differences.length > 0) ?? all[0]
      if (!wrong || client.isStopped()) return
      record(wrong.exchange, [...wrong.differences, ...(isLost ? [] : judge(exchanges.map(evaluated)))], exchanges)
    },
    /** Sends calls over one connection, one after the other. */
    async overOneConnection(...steps: (readonly [expected: Expected, ...calls: Call[]])[]) {
      const calls = steps.flatMap(([expected, ...calls]) => calls.map((call) => ({ expected, call })))
      const exchanges = await client.exchangeSequence(calls.map(({ call }) => call))
      for (const [i, exchange] of exchanges.entries()) {
        const before = exchanges[i - 1]
        const expected = "the connection takes the next call, or the answer says 'Connection: close'"
        const difference = before?.sent.method === 'HEAD' ? WITH_BODY : { expected, actual: 'it was closed' }
        if (exchange.isReconnected && before?.answer.status) record(before, [difference])
        record(exchange, differencesOf(exchange, calls[i]?.expected ?? []))
      }
    },
    /** Records a violation of the last answer unless `holds`. */
    assert(holds: boolean, difference: Difference) {
      if (last && !holds && !isLost) record(last, [difference])
    },
    /** Marks the row as skipped, and says why. */
    skip(why: string) {
      skipped = why
    },
    stop,
    stopped: client.stopped,
    /** Sends a call whose answer may be anything. */
    exchange: client.exchange,
    /** Sends a call whose answer may be anything, as the first of a sequence. */
    async before(call: Call) {
      first = await client.exchange(call)
    },
    findings: () => ({ skipped, violations, isLost }),
  }
}
