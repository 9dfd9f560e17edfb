import type { Call, Client, Exchange } from './client.ts'
import { type Answer, type Difference, jsonOf, type Operation } from './contract.ts'
import { textsIn } from './requests.ts'

/** The status that the contract wants, or any of those. */
export type Expected = number | '4xx' | '404 or 405'

export type Break = { readonly sent: string; readonly came: string; readonly differences: readonly Difference[] }

export type Judged = Exchange & { readonly differences: readonly Difference[] }

/** One check's way to the host; what breaks the contract is kept. */
export type Trial = {
  /** Gives the answer's status, and its body if that is an object. */
  expect(call: Call, expected: Expected): Promise<Reply>
  /** Sends and judges, but keeps nothing. */
  judge(call: Call, expected: Expected): Promise<Judged>
  keep(judged: Judged): void
  /** Keeps a break of the last answer unless `holds`. */
  must(holds: boolean, contract: string, came: string): void
  note(text: string): void
  /** Why there is nothing to check. */
  skip(why: string): void
  cookie(name: string): string | null
}

type Reply = {
  readonly status: number
  readonly headers: Answer['headers']
  readonly value: Readonly<Record<string, unknown>>
}

/** What a check has come to so far. */
export type Findings = { readonly breaks: Break[]; readonly notes: string[]; isLost: boolean; isSkipped: boolean }

export function createTrial(client: Client, mark: string, operation: Operation | undefined, found: Findings): Trial {
  let last: Exchange | undefined

  function differencesIn({ sent, answer }: Exchange, expected: Expected): Difference[] {
    const { status } = answer
    if (status === 0) return [{ contract: 'an answer', came: answer.body }]
    const { documents, differences } = operation ?? { documents: () => true, differences: () => [] }
    const came = `${status} ${answer.headers['content-type'] ?? ''}${documents(status) ? '' : ', which is not documented'}`
    return [
      ...(isExpected(status, expected) ? differences(answer) : [{ contract: String(expected), came }]),
      ...repeated(sent, answer, mark),
    ]
  }

  async function judge(call: Call, expected: Expected): Promise<Judged> {
    const exchange = await client.exchange(call)
    last = exchange
    if (exchange.answer.status === 0) found.isLost = true
    return { ...exchange, differences: differencesIn(exchange, expected) }
  }

  const keep = ({ sent, answer, differences }: Judged) => {
    if (differences.length > 0) found.breaks.push(breakOf({ sent, answer }, differences))
  }

  return {
    judge,
    keep,
    async expect(call, expected) {
      const judged = await judge(call, expected)
      keep(judged)
      const value = jsonOf(judged.answer.body)
      return { ...judged.answer, value: typeof value === 'object' && value ? { ...value } : {} }
    },
    must(holds, contract, came) {
      if (!holds && last) found.breaks.push(breakOf(last, [{ contract, came }]))
    },
    note: (text) => found.notes.push(text),
    skip(why) {
      found.isSkipped = true
      found.notes.push(why)
    },
    cookie: client.cookie,
  }
}

const isExpected = (status: number, expected: Expected) =>
  expected === '4xx' ? status >= 400 && status < 500 : String(expected).split(' or ').includes(String(status))

function repeated(sent: Call, { status, body }: Answer, mark: string): Difference[] {
  const isRepeated = status >= 400 && [mark, ...textsIn(sent)].some((text) => body.includes(text))
  return isRepeated ? [{ contract: 'an error repeats no value that was sent', came: body }] : []
}

export function breakOf({ sent, answer }: Exchange, differences: readonly Difference[]): Break {
  const lines = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`)
  const { status, headers, body } = answer
  return {
    sent: shown([`${sent.method} ${sent.path}`, ...lines, textOf(sent.body)].join('\n')),
    came: status === 0 ? `no answer: ${body}` : shown(`${status} ${headers['content-type'] ?? ''}\n${body}`),
    differences: differences.map(({ contract, came }) => ({ contract, came: shown(came, 200) })),
  }
}

/** Bytes that are no UTF-8 are shown one by one. */
const textOf = (body: Buffer) =>
  body.includes(0) || body.toString().includes('\ufffd') ? body.toString('latin1') : body.toString()

/** Cut, and without anything that a terminal, or XML, would not show as it is. */
const shown = (text: string, most = 600): string => {
  const short = text.replace(/(.)\1{30,}/gsu, (run, one) => `${one.repeat(3)}…(${[...run].length} times)`)
  const cut = short.length > most ? `${short.slice(0, most)}… (${text.length} characters)` : short
  return cut.replace(/[^\n\P{C}]|[\u2028\u2029]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
