import type { Call, Client, Exchange } from './client.ts'
import { type Answer, type Difference, jsonOf, type Operation } from './contract.ts'
import { MARK } from './requests.ts'

/** One line of the table; the outcome is the name of an example in the contract. */
export type Check = {
  /** Without it, it is about what is to be none. */
  readonly operation?: Operation
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
}

export type Break = { readonly sent: string; readonly came: string; readonly differences: readonly Difference[] }

/** The status that the contract wants, or any of those; 200 is also to say that it took what was sent. */
export type Expected = number | '4xx' | '404 or 405'

/** Calls that are all to be answered alike. */
export type Step = readonly [expected: Expected, ...calls: Call[]]

export type Judged = Exchange & { readonly differences: readonly Difference[] }

export type Trial = ReturnType<typeof createTrial>

/** One check's way to the host; what breaks the contract is written into its result. */
export function createTrial(client: Client, operation: Operation | undefined, result: Result) {
  let last: Judged | undefined
  let isLost = false

  async function judge(call: Call, expected: Expected): Promise<Judged> {
    const exchange = await client.exchange(call)
    isLost ||= exchange.answer.status === 0
    last = { ...exchange, differences: differencesIn(exchange, expected, operation) }
    return last
  }

  function keep({ differences, ...exchange }: Judged) {
    if (differences.length > 0) result.breaks.push(breakOf(exchange, differences))
  }

  /** Gives the answer, and its body if that is an object. */
  async function expect(call: Call, expected: Expected) {
    const judged = await judge(call, expected)
    keep(judged)
    const value: Readonly<Record<string, unknown>> = Object(jsonOf(judged.answer.body))
    return { ...judged.answer, value }
  }

  return {
    /** Sends and judges, but keeps nothing. */
    judge,
    keep,
    expect,
    /** Keeps a break of the last answer unless it holds. */
    must(holds: boolean, contract: string, came: string) {
      if (!last) throw new Error('Nothing was answered yet that could break the contract.')
      if (!holds) keep({ ...last, differences: [{ contract, came }] })
    },
    note: (text: string) => result.notes.push(text),
    /** There is nothing to check. */
    skip(why: string) {
      result.verdict = 'not from outside'
      result.notes.push(why)
    },
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

function differencesIn({ sent, answer }: Exchange, expected: Expected, operation?: Operation): Difference[] {
  const { status, headers, body } = answer
  if (status === 0) return [{ contract: 'an answer', came: body }]
  const allowed = expected === '4xx' ? /^4/ : new RegExp(String(expected).replace(' or ', '|'))
  const undocumented = operation && !operation.answers.has(status) ? ', which is not documented' : ''
  const differences = allowed.test(String(status))
    ? (operation?.answers.get(status)?.(answer) ?? [])
    : [{ contract: String(expected), came: `${status} ${headers['content-type'] ?? ''}${undocumented}` }]
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

export function breakOf({ sent, answer }: Exchange, differences: readonly Difference[]): Break {
  const { status, headers, body } = answer
  const lines = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`)
  const isText = !/[\0\ufffd]/.test(sent.body.toString())
  return {
    sent: shown([`${sent.method} ${sent.path}`, ...lines, sent.body.toString(isText ? 'utf8' : 'latin1')].join('\n')),
    came: status === 0 ? `no answer: ${body}` : shown(`${status} ${headers['content-type'] ?? ''}\n${body}`),
    differences: differences.map(({ contract, came }) => ({ contract, came: shown(came, 200) })),
  }
}

/** Cut, and without anything that a terminal, or XML, would not show as it is. */
function shown(text: string, most = 600): string {
  const short = text.replace(/(.)\1{30,}/gsu, (run, one) => `${one.repeat(3)}…(${[...run].length} times)`)
  const cut = short.length > most ? `${short.slice(0, most)}… (${text.length} characters)` : short
  return cut.replace(/[^\n\P{C}]|[\u2028\u2029]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
