import type { Difference } from '../operations.ts'
import type { Exchange } from './client.ts'

type Shown = { readonly request: string; readonly response: string }

/** An answer that breaks the contract, as the reports show it. */
export type Violation = Shown & {
  /** The call that this one has to fit. */
  readonly first?: Shown
  readonly differences: readonly Difference[]
}

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

/** What to do where a backend refuses whatever comes from here. */
export const HOST_HINT =
  'If the backend knows itself or the page by another name, call it by that name, or say where visitors find the page: --origin https://their.site'

/** `redact` takes out secrets. */
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
