import { type Answer, type Difference, type Operation, parseJson } from '../contract/operations.ts'
import type { Call, Client, Exchange } from './client.ts'
import { namingDifferences } from './faults.ts'
import { escaped, RUN_ID } from './requests.ts'

/** One line of the report. The outcome is the name of an example in the contract. */
export type Check = {
  readonly operation: Operation
  readonly outcome: string
  readonly title: string
  /** The contract's sentence that it holds a backend to. */
  readonly rule: string
  /** Whether the first call says what the others have to be answered. */
  readonly isSequence?: boolean
  /** Missing where the outcome is not testable from outside. */
  readonly run?: (context: CheckContext) => Promise<unknown>
}

export type Planned = Omit<Check, 'operation' | 'run'> & { readonly run: NonNullable<Check['run']> }

export type Verdict = 'passed' | 'failed' | 'unreachable' | 'not run' | 'skipped'

export type Result = {
  readonly operation: string
  readonly outcome: string
  readonly title: string
  readonly rule: string
  readonly verdict: Verdict
  readonly notes: readonly string[]
  readonly violations: readonly Violation[]
  readonly milliseconds: number
}

type Shown = { readonly request: string; readonly response: string }

export type Violation = Shown & {
  /** The call that this one has to fit. */
  readonly first?: Shown
  readonly differences: readonly Difference[]
}

/** What to do where a backend refuses whatever comes from here. */
export const HOST_HINT =
  'If the backend knows itself or the page by another name, call it by that name, or say where visitors find the page: --origin https://their.site'

/** The statuses that the contract allows. With 200, `success` has to be true. */
export type Expected = readonly number[]

/** Calls that all expect the same. */
export type Step = readonly [expected: number | Expected, ...calls: Call[]]

export type Evaluation = Exchange & { readonly differences: readonly Difference[] }

export type CheckContext = ReturnType<typeof createContext>

/** How a check calls the host, and what it has found there. */
export function createContext(
  client: Client,
  { operation, isSequence = false }: Pick<Check, 'operation' | 'isSequence'>,
) {
  const notes: string[] = []
  const violations: Violation[] = []
  let first: Exchange | undefined
  let last: Evaluation | undefined
  let isLost = false
  let skippedAs: Verdict | null = null

  function evaluated(exchange: Exchange, expected: number | Expected): Evaluation {
    isLost ||= exchange.answer.status === 0
    // No answer after a stop says nothing about the host.
    const isOver = client.isStopped() && exchange.answer.status === 0
    last = { ...exchange, differences: isOver ? [] : differencesIn(exchange, [expected].flat(), operation) }
    first ??= exchange
    return last
  }

  const evaluate = async (call: Call, expected: number | Expected) => evaluated(await client.exchange(call), expected)

  function record({ differences, ...exchange }: Evaluation) {
    if (differences.length === 0) return
    const isLater = isSequence && first && first.sent !== exchange.sent
    violations.push(violationOf(exchange, differences, client.redact, isLater ? first : undefined))
  }

  /** Records violations, and returns the answer with its body as an object. */
  function recorded(evaluation: Evaluation) {
    record(evaluation)
    const value: Readonly<Record<string, unknown>> = Object(parseJson(evaluation.answer.body))
    return { ...evaluation.answer, value }
  }

  return {
    /** Sends a call and evaluates its answer; records nothing. */
    evaluate,
    record,
    expect: async (call: Call, expected: number | Expected) => recorded(await evaluate(call, expected)),
    /** Sends calls so that they arrive at once. */
    async expectTogether(calls: readonly Call[], expected: number | Expected) {
      first = undefined
      return (await client.exchangeTogether(calls)).map((exchange) => recorded(evaluated(exchange, expected)))
    },
    /** Sends calls over one connection, one after the other. */
    async expectSequence(steps: readonly Step[]) {
      const calls = steps.flatMap(([expected, ...calls]) => calls.map((call) => ({ expected, call })))
      const exchanges = await client.exchangeSequence(calls.map(({ call }) => call))
      return exchanges.map((exchange, i) => {
        const answer = recorded(evaluated(exchange, calls[i]?.expected ?? []))
        const before = exchanges[i - 1]
        const expected = "the connection takes the next call, or the answer says 'Connection: close'"
        if (exchange.isReconnected && before?.answer.status)
          record({ ...before, differences: [{ expected, actual: 'it was closed' }] })
        return answer
      })
    },
    /** The next call is the first of a sequence. */
    begin() {
      first = undefined
    },
    /** Records a violation of the last answer unless `holds`. */
    assert(holds: boolean, expected: string, actual: string, rule?: string) {
      if (last && !holds && !isLost) record({ ...last, differences: [{ expected, actual, ...(rule && { rule }) }] })
    },
    note(text: string) {
      if (!notes.includes(text)) notes.push(text)
    },
    /** Ends the check without a result, and says why. */
    skip(why: string, verdict: Verdict = 'skipped') {
      skippedAs = verdict
      notes.push(why)
    },
    findings: () => ({ skippedAs, notes, violations }),
    /** Sends a call; its answer is neither evaluated nor recorded. */
    send: (call: Call) => client.exchange(call),
    stopped: client.stopped,
    isStopped: client.isStopped,
    cookies: client.cookies,
    headHasBody: client.headHasBody,
    /** Whether a call got no answer. */
    isLost: () => isLost,
  }
}

/** A check whose calls have to fit its first one. */
export const sequenceCheck = (outcome: string, title: string, rule: string, run: Planned['run']): Planned => ({
  ...{ outcome, title, rule, run },
  isSequence: true,
})

/** Sends one step after the other. */
export const sequence =
  (...steps: Step[]) =>
  async (context: CheckContext) => {
    // A host that does not answer costs 10 s: one such call a check is enough.
    for (const [expected, ...calls] of steps)
      for (const call of calls) if (!context.isLost()) await context.expect(call, expected)
  }

function differencesIn({ sent, answer }: Exchange, expected: Expected, operation: Operation): Difference[] {
  const { status, headers, body } = answer
  if (status === 0) return [{ expected: 'an answer', actual: body }]
  const undocumented = operation.responses.has(status) ? '' : ', which is not documented'
  const documented = operation.responses.get(status)?.differences(answer, sent.method) ?? []
  const wrong = { expected: expected.join(' or '), actual: `${status} ${headers['content-type'] ?? ''}${undocumented}` }
  const differences = expected.includes(status)
    ? [...documented, ...namingDifferences(sent, answer, operation)]
    : [wrong, ...(status === 503 ? documented : [])]
  const isAccepted = status !== 200 || differences.length > 0 || Object(parseJson(body)).success === true
  if (!isAccepted) differences.push({ expected: '/success true', actual: '/success false' })
  if (isRepeated(sent, answer)) differences.push({ expected: 'an error repeats no value that was sent', actual: body })
  const internals = status >= 400 && INTERNALS.exec(body)?.[0]
  if (internals) differences.push({ expected: "an error reveals nothing of the server's internals", actual: internals })
  return differences
}

/** Stack traces, files with lines, paths of a machine, names of exceptions, and SQL, as languages write them. */
const INTERNALS =
  /\bat [\w$.<>]+ ?\([^)]*:\d+|Traceback \(most|\b[\w.]*[a-z](?:Exception|Error)\b[:(]|"(?:stack|stack_?trace|trace|exception|file|line)":|File \\?"[^"]+", line \d|\bon line \d|[\w-]\.(?:php|py|rb|[cm]?[jt]s|java|kt|go|cs|rs|ex):\d+|(?:^|[\s"'(:])\/(?:app|etc|home|opt|root|srv|tmp|usr|var|www)\/\w|[A-Z]:\\\\\w|SQLSTATE|file:\/\/|\b(?:SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET) /

const MAX_NAME = 10_000

/** Whether an error contains a text that was sent, of 8 characters or more: a shorter one may be there by chance. */
function isRepeated(sent: Call, { status, body }: Answer): boolean {
  const { 'idempotency-key': key, 'x-xsrf-token': token } = sent.headers
  const texts = [RUN_ID, ...[key ?? [], token ?? []].flat()]
  parseJson(sent.body.toString(), (name, value) => {
    if (typeof value === 'string') texts.push(value, ...value.split('@'))
    // The name of an unknown field may be repeated, but not without a bound.
    if (name.length > MAX_NAME) texts.push(name, escaped(name))
    return value
  })
  return status >= 400 && texts.some((text) => text.length >= 8 && text !== 'example.com' && body.includes(text))
}

/** A violation as the reports show it. `redact` takes out secrets. */
export function violationOf(
  { sent, answer }: Exchange,
  differences: readonly Difference[],
  redact: (text: string) => string,
  first?: Exchange,
): Violation {
  const { status, headers, body } = answer
  const lines = Object.entries(sent.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}`),
  )
  const isText = !/[\0\ufffd]/.test(sent.body.toString())
  const location = headers.location ? `\nlocation: ${headers.location}` : ''
  const show = (text: string, most: number) => printable(redact(text.slice(0, MAX_READ)), most, text.length)
  return {
    ...(first && { first: violationOf(first, [], redact) }),
    request: show(
      [`${sent.method} ${sent.path}`, ...lines, sent.body.toString(isText ? 'utf8' : 'latin1')].join('\n'),
      600,
    ),
    response:
      status === 0 ? `no answer: ${body}` : show(`${status} ${headers['content-type'] ?? ''}${location}\n${body}`, 600),
    differences: differences.map(({ expected, actual, ...more }) => ({
      expected: show(expected, 400),
      actual: show(actual, 200),
      ...more,
    })),
  }
}

/** Characters that are looked at: longer texts would make the search for runs slow. */
const MAX_READ = 70_000

/** Cut, and with control characters escaped, so that a terminal and XML show it as it is. */
export function printable(text: string, most = 600, length = text.length): string {
  const short = text.replace(/(.)\1{30,}/gsu, (run, one) => `${one.repeat(3)}…(${[...run].length} times)`)
  const cut = short.length > most || length > MAX_READ ? `${short.slice(0, most)}… (${length} characters)` : short
  return cut.replace(/[^\n\P{C}]|[\u2028\u2029]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
