import type { Call } from './calls.ts'
import { escaped } from './naming.ts'
import { type Difference, parseJson } from './schemas.ts'

const SILENCE =
  "It never repeats a value that the visitor sent, and never reveals the server's internals; the name of an unknown field may be repeated, cut to a bounded length."

/** What languages and databases reveal of a server's internals. */
const INTERNALS: Readonly<Record<string, RegExp>> = {
  'no stack trace': /\bat [\w$.<>]+ ?\([^)]*:\d+|Traceback \(most|"(?:stack|stack_?trace|trace)":/,
  'no exception': /\b[\w.]*[a-z](?:Exception|Error)\b[:(]|"exception":/,
  'no file with its line': /\bline \d|[\w-]\.(?:php|py|rb|[cm]?[jt]s|java|kt|go|cs|rs|ex):\d+/,
  'no path of the machine': /(?:^|[\s"'(:])\/(?:app|etc|home|opt|root|srv|tmp|usr|var|www)\/\w|[A-Z]:\\\\\w|"file":/,
  'no statement of SQL': /SQLSTATE|\b(?:SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET) /,
}

/**
 * What the body of an error shows, though it must not; `marker` is in all that was sent beside the fields. It may have
 * a domain like that of a sent address.
 */
export function silenceDifferences({ headers, body }: Call, answer: string, marker: string): Difference[] {
  const shown = answer.replace(/"instance"\s*:\s*"[^"]*"/, '') // It may be the path of the call.
  const sent = [headers['idempotency-key'] ?? [], headers['x-xsrf-token'] ?? [], marker].flat()
  parseJson(`${body}`, (name, value) => {
    if (typeof value === 'string') sent.push(value, value.replace(/@.*/s, ''))
    if (name.length > 10_000) sent.push(name, escaped(name))
    return value
  })
  // Shorter texts may be in it by chance.
  const repeated = sent.filter((text) => text.length >= 8 && shown.includes(text)).slice(0, 1)
  const internals = Object.entries(INTERNALS).map(
    ([expected, pattern]) => [expected, pattern.exec(shown)?.[0]] as const,
  )
  return [...repeated.map((text) => ['no value that was sent', text] as const), ...internals].flatMap(
    ([expected, actual]) => (actual === undefined ? [] : [{ expected, actual, rule: SILENCE }]),
  )
}
