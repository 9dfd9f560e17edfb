import type { Call } from './calls.ts'
import { escaped } from './naming.ts'
import { type Difference, parseJson } from './schemas.ts'

const SILENCE =
  "It never repeats a value that the visitor sent, and never reveals the server's internals; the name of an unknown field may be repeated, cut to a bounded length."

/** Patterns of internals that languages and databases reveal. */
const INTERNALS: Readonly<Record<string, RegExp>> = {
  'no stack trace': /\bat [\w$.<>]+ ?\([^)]*:\d+|Traceback \(most|"(?:stack|stack_?trace|trace)":/,
  'no exception': /\b[\w.]*[a-z](?:Exception|Error)\b[:(]|"exception":/,
  'no file with its line': /\bline \d|[\w-]\.(?:php|py|rb|[cm]?[jt]s|java|kt|go|cs|rs|ex):\d+/,
  'no path of the machine': /(?:^|[\s"'(:])\/(?:app|etc|home|opt|root|srv|tmp|usr|var|www)\/\w|[A-Z]:\\\\\w|"file":/,
  'no statement of SQL': /SQLSTATE|\b(?:SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET) /,
}

/**
 * The sent values and the internals that the body of an error shows. `marker` is a part of all that was sent besides
 * the fields. The body may contain the domain of a sent address.
 */
export function silenceDifferences({ headers, body }: Call, answer: string, marker: string): Difference[] {
  const visibleText = answer.replace(/"instance"\s*:\s*"[^"]*"/, '') // `instance` may be the path of the call.
  const sent = [headers['idempotency-key'] ?? [], headers['x-xsrf-token'] ?? [], marker].flat()
  parseJson(`${body}`, (name, value) => {
    if (typeof value === 'string') sent.push(value, value.replace(/@.*/s, ''))
    if (name.length > 10_000) sent.push(name, escaped(name))
    return value
  })
  // Shorter texts may be in it by chance.
  const repeated = sent.filter((text) => text.length >= 8 && visibleText.includes(text)).slice(0, 1)
  const internals = Object.entries(INTERNALS).map(
    ([expected, pattern]) => [expected, pattern.exec(visibleText)?.[0]] as const,
  )
  return [...repeated.map((text) => ['no value that was sent', text] as const), ...internals].flatMap(
    ([expected, actual]) => (actual === undefined ? [] : [{ expected, actual, rule: SILENCE }]),
  )
}
