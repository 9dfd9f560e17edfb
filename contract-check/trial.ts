import type { Call, Client, Exchange } from './client.ts'
import { type Answer, type Difference, jsonOf, type Operation } from './contract.ts'
import { MARK } from './requests.ts'

/** One line of the table; the outcome is the name of an example in the contract. */
export type Check = {
  readonly operation: Operation
  readonly outcome: string
  readonly title: string
  /** Without it, nothing can be done from outside. */
  readonly run?: (trial: Trial) => Promise<unknown>
}

export type Verdict = 'held' | 'broken' | 'not reachable' | 'not tried' | 'not from outside'

export type Result = {
  readonly operation: string
  readonly outcome: string
  title: string
  verdict: Verdict
  notes: string[]
  breaks: Break[]
  milliseconds: number
}

export type Break = { readonly sent: string; readonly came: string; readonly differences: readonly Difference[] }

/** The statuses that the contract allows; 200 is also to say that it took what was sent. */
export type Expected = readonly number[]

/** Calls that are all to be answered alike. */
export type Step = readonly [expected: number | Expected, ...calls: Call[]]

export type Judged = Exchange & { readonly differences: readonly Difference[] }

export type Trial = ReturnType<typeof createTrial>

/** One check's way to the host; what breaks the contract is written into its result. */
export function createTrial(client: Client, operation: Operation, result: Result) {
  let last: Judged | undefined
  let isLost = false
  let isSkipped = false

  function judged(exchange: Exchange, expected: number | Expected): Judged {
    isLost ||= exchange.answer.status === 0
    // What did not come because nobody waits any longer says nothing.
    const isOver = client.isStopped() && exchange.answer.status === 0
    last = { ...exchange, differences: isOver ? [] : differencesIn(exchange, [expected].flat(), operation) }
    return last
  }

  const judge = async (call: Call, expected: number | Expected) => judged(await client.exchange(call), expected)

  function keep({ differences, ...exchange }: Judged) {
    if (differences.length > 0) result.breaks.push(breakOf(exchange, differences, client.hide))
  }

  /** Keeps what breaks the contract, and gives the answer, and its body if that is an object. */
  function read(judged: Judged) {
    keep(judged)
    const value: Readonly<Record<string, unknown>> = Object(jsonOf(judged.answer.body))
    return { ...judged.answer, value }
  }

  return {
    /** Sends and judges, but keeps nothing. */
    judge,
    keep,
    expect: async (call: Call, expected: number | Expected) => read(await judge(call, expected)),
    /** Of calls that arrive all at once. */
    expectTogether: async (calls: readonly Call[], expected: number | Expected) =>
      (await client.exchangeTogether(calls)).map((exchange) => read(judged(exchange, expected))),
    /** Of calls over one connection, one after the other. */
    async expectInTurn(steps: readonly Step[]) {
      const calls = steps.flatMap(([expected, ...calls]) => calls.map((call) => ({ expected, call })))
      const exchanges = await client.exchangeInTurn(calls.map(({ call }) => call))
      for (const [i, exchange] of exchanges.entries()) read(judged(exchange, calls[i]?.expected ?? []))
    },
    /** Keeps a break of the last answer unless it holds. */
    must(holds: boolean, contract: string, came: string) {
      if (last && !holds && !isLost) keep({ ...last, differences: [{ contract, came }] })
    },
    note(text: string) {
      if (!result.notes.includes(text)) result.notes.push(text)
    },
    /** There is nothing to check, or no way to. */
    skip(why: string, verdict: Verdict = 'not from outside') {
      isSkipped = true
      result.verdict = verdict
      result.notes.push(why)
    },
    isSkipped: () => isSkipped,
    /** Neither judged nor kept. */
    send: (call: Call) => client.exchange(call),
    stopped: client.stopped,
    isStopped: client.isStopped,
    /** The line that set the XSRF cookie last. */
    token: client.token,
    /** Whether a call got no answer. */
    isLost: () => isLost,
  }
}

/** One step after the other. */
export const inTurn =
  (...steps: Step[]) =>
  async (trial: Trial) => {
    // Who does not answer is asked once a check, for it takes 10 s.
    for (const [expected, ...calls] of steps)
      for (const call of calls) if (!trial.isLost()) await trial.expect(call, expected)
  }

/** The fields of the body that a problem names, as JSON Pointers, and headers as `header name`. */
export function namedIn({ errors }: Readonly<Record<string, unknown>>): string[] {
  return [errors ?? []].flat().flatMap((error) => {
    const { pointer, header } = Object(error)
    if (typeof pointer === 'string') return [pointer]
    return typeof header === 'string' ? [`header ${header.toLowerCase()}`] : []
  })
}

function differencesIn({ sent, answer }: Exchange, expected: Expected, operation: Operation): Difference[] {
  const { status, headers, body } = answer
  if (status === 0) return [{ contract: 'an answer', came: body }]
  const undocumented = operation.answers.has(status) ? '' : ', which is not documented'
  const differences = expected.includes(status)
    ? (operation.answers.get(status)?.(answer) ?? [])
    : [{ contract: expected.join(' or '), came: `${status} ${headers['content-type'] ?? ''}${undocumented}` }]
  const isTaken = status !== 200 || differences.length > 0 || Object(jsonOf(body)).success === true
  if (!isTaken) differences.push({ contract: '/success true', came: '/success false' })
  if (isRepeated(sent, answer)) differences.push({ contract: 'an error repeats no value that was sent', came: body })
  return differences
}

/** Whether an error holds a text that was sent, and is long enough to be no word of its own. */
function isRepeated(sent: Call, { status, body }: Answer): boolean {
  const texts = [MARK, sent.headers['idempotency-key'] ?? '']
  jsonOf(sent.body.toString(), (_, value) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return status >= 400 && texts.some((text) => text.length >= 8 && body.includes(text))
}

/** `hide` takes out what is secret. */
export function breakOf(
  { sent, answer }: Exchange,
  differences: readonly Difference[],
  hide: (text: string) => string,
): Break {
  const { status, headers, body } = answer
  const lines = Object.entries(sent.headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  const isText = !/[\0\ufffd]/.test(sent.body.toString())
  const location = headers.location ? `\nlocation: ${headers.location}` : ''
  const show = (text: string, most: number) => shown(hide(text.slice(0, MOST_READ)), most, text.length)
  return {
    sent: show(
      [`${sent.method} ${sent.path}`, ...lines, sent.body.toString(isText ? 'utf8' : 'latin1')].join('\n'),
      600,
    ),
    came:
      status === 0 ? `no answer: ${body}` : show(`${status} ${headers['content-type'] ?? ''}${location}\n${body}`, 600),
    differences: differences.map(({ contract, came }) => ({ contract: show(contract, 200), came: show(came, 200) })),
  }
}

/** More would be too much for the pattern of a run; no request of ours that is shown has more but spaces at its end. */
const MOST_READ = 70_000

/** Cut, and without anything that a terminal, or XML, would not show as it is. */
export function shown(text: string, most = 600, length = text.length): string {
  const short = text.replace(/(.)\1{30,}/gsu, (run, one) => `${one.repeat(3)}…(${[...run].length} times)`)
  const cut = short.length > most || length > MOST_READ ? `${short.slice(0, most)}… (${length} characters)` : short
  return cut.replace(/[^\n\P{C}]|[\u2028\u2029]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
