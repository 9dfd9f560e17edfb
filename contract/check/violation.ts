import type { Difference } from '../operations.ts'
import type { Exchange } from './client.ts'

type Shown = { readonly request: string; readonly response: string }

/** An answer that breaks the contract, as the reports show it. */
export type Violation = Shown & {
  /** The first call of the sequence, which this one has to fit. */
  readonly first?: Shown
  /** For calls that left at once: how many they were, and each answer with how many got it. */
  readonly together?: { readonly count: number; readonly answers: readonly string[] }
  readonly differences: readonly Difference[]
}

/** Makes a violation for the reports; `redact` takes secrets out. */
export function violationOf(
  { sent, answer }: Exchange,
  differences: readonly Difference[],
  redact: (text: string) => string,
  { first, together = [] }: { readonly first?: Exchange | undefined; readonly together?: readonly Exchange[] } = {},
): Violation {
  const show = (text: string, most: number) => printable(redact(text.slice(0, MAX_READ)), most, text.length)
  const isText = !/[\0\ufffd]/.test(sent.body.toString())
  const inBytes = sent.body
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
  const request = [`${sent.method} ${sent.path}`, ...linesOf(sent.headers), isText ? sent.body.toString() : inBytes]
  // The headers that are shown are those at fault, and where a redirect leads.
  const shown = ['location', ...differences.flatMap(({ header }) => header?.toLowerCase() ?? [])]
  const headers = Object.fromEntries(shown.map((name) => [name, answer.headers[name]]))
  const { status, body } = answer
  const response = [`${status} ${answer.headers['content-type'] ?? ''}`, ...linesOf(headers), body].join('\n')
  return {
    ...(first && { first: violationOf(first, [], redact) }),
    ...(together.length > 0 && {
      together: { count: together.length, answers: tallyOf(together).map((line) => show(line, 200)) },
    }),
    request: show(request.join('\n'), 600),
    response: status === 0 ? `no answer: ${body}` : show(response, 600),
    differences: differences.map(({ expected, actual, ...more }) => ({
      ...{ expected: show(expected, 400), actual: show(actual, 300), ...more },
    })),
  }
}

const linesOf = (headers: Readonly<Record<string, string | readonly string[] | null | undefined>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}`))

function tallyOf(together: readonly Exchange[]): string[] {
  const answers = together.map(({ answer: { status, body } }) =>
    status === 0 ? `no answer: ${body}` : `${status} ${body}`,
  )
  return [...new Set(answers)].map((one) => `${answers.filter((other) => other === one).length} x ${one}`)
}

/** The most characters of a text that are looked at: in longer ones the search for runs would be slow. */
const MAX_READ = 70_000

/** A text that is cut, and has its control characters escaped, so that a terminal and XML show it as it is. */
export function printable(text: string, most = 600, length = text.length): string {
  const short = text.replace(/(.)\1{30,}/gsu, (run, one) => `${one.repeat(3)}…(${[...run].length} times)`)
  const cut = short.length > most || length > MAX_READ ? `${short.slice(0, most)}… (${length} characters)` : short
  return cut.replace(/[^\n\P{C}]|[\u2028\u2029]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`)
}
