import { stripVTControlCharacters, styleText } from 'node:util'
import type { Difference } from '../operations.ts'
import { RUN_ID } from './requests.ts'
import { HOST_HINT, type Result, type Verdict, type Violation } from './result.ts'
import type { Run } from './run.ts'

const LOOKS: Record<Verdict, readonly [sign: string, style: 'green' | 'red' | 'yellow' | 'dim']> = {
  passed: ['✓ passed', 'green'],
  failed: ['✗ failed', 'red'],
  unreachable: ['! unreachable', 'yellow'],
  'not run': ['– not run', 'dim'],
  skipped: ['· skipped', 'dim'],
}
const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'unreachable', 'not run', 'skipped']
const MAX_VIOLATIONS = 3

/** Failed checks that are shown in full. */
const MAX_FAILURES = 20
/** So many checks that fail alike have one cause. */
const MIN_ALIKE = 5

/** The report for a person: the table, each violation, and how to delete what was stored. */
export function report(
  host: string,
  { results, answered, unchecked, abortReason, stopReason }: Run,
  budget: number,
): string {
  const withVerdict = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const failed = withVerdict('failed')
  const causes = commonCauses(failed)
  const common = new Set(causes.map(({ difference }) => keyOf(difference)))
  const others = failed.map((result) => without(result, common)).filter(({ violations }) => violations.length > 0)
  const why = abortReason()
  if (why !== null && failed.length + withVerdict('passed').length === 0) return `${host} ${why}.\nNothing was checked.`
  const counts = VERDICTS.map((verdict) => `${withVerdict(verdict).length} ${verdict}`).filter(
    (count) => !count.startsWith('0 '),
  )
  const lines = [
    ...table(results),
    ...causes.flatMap(({ violation, difference, count }) => [
      styleText('red', `\n✗ ${count} checks fail alike, so perhaps for one cause, which is not shown again:`),
      formatViolation({ ...violation, differences: [difference] }, ''),
    ]),
    ...others.slice(0, MAX_FAILURES).flatMap(violationLines),
    ...(others.length > MAX_FAILURES ? [`\nand ${others.length - MAX_FAILURES} more; --json has all of them`] : []),
    '',
    `${counts.join(', ')}; ${answered.length} answers`,
  ]
  if (why !== null) lines.push(styleText('yellow', `${host} ${why}.`))
  if (stopReason() !== null) lines.push(styleText('yellow', `Stopped before its end: ${stopReason()}.`))
  lines.push('Not checked:', ...unchecked().map((what) => `- ${what}`))
  const late = answered.map(({ milliseconds }) => Math.round(milliseconds)).filter((time) => time > budget)
  if (late.length > 0) {
    const count = `${late.length} of ${answered.length} answers`
    lines.push(styleText('yellow', `Warning: ${count} took over ${budget} ms, the slowest ${Math.max(...late)} ms.`))
  }
  if (answered.some(({ method, status }) => method === 'POST' && status < 300)) {
    lines.push(`Everything it stored has an address like contract+${RUN_ID}.1@example.com.`)
    lines.push(`To delete it: email LIKE 'contract+${RUN_ID}.%'.`)
  }
  return lines.join('\n')
}

function table(results: readonly Result[]): string[] {
  const width = (cell: (result: Result) => string) => Math.max(...results.map((result) => cell(result).length)) + 2
  const [ofOperation, ofOutcome] = [width(({ operation }) => operation), width(({ outcome }) => outcome)]
  const ofSign = width(({ verdict }) => LOOKS[verdict][0])
  return results.flatMap(({ operation, outcome, title, verdict, notes }, i) => {
    const before = results[i - 1]
    const isSame = before?.operation === operation
    const name = isSame ? '' : operation
    const example = isSame && before.outcome === outcome ? '' : outcome
    const [sign, style] = LOOKS[verdict]
    const status = styleText(style, sign.padEnd(ofSign)) + (style === 'dim' ? styleText(style, title) : title)
    const newNotes = isSame && before.notes.join() === notes.join() ? [] : notes
    return [
      ...(before && !isSame ? [''] : []),
      name.padEnd(ofOperation) + example.padEnd(ofOutcome) + status,
      ...newNotes.map((note) => ' '.repeat(ofOperation + ofOutcome + ofSign) + styleText('dim', note)),
    ]
  })
}

const keyOf = ({ expected, actual }: Difference) => `${expected}\n${actual}`

/** What most of the failed checks have in common, with the first example of each. */
function commonCauses(failed: readonly Result[]) {
  const causes = new Map<string, { violation: Violation; difference: Difference; checks: Set<Result> }>()
  for (const result of failed)
    for (const violation of result.violations)
      for (const difference of violation.differences) {
        const cause = causes.get(keyOf(difference)) ?? { violation, difference, checks: new Set() }
        causes.set(keyOf(difference), cause)
        cause.checks.add(result)
      }
  return [...causes.values()]
    .map((cause) => ({ ...cause, count: cause.checks.size }))
    .filter(({ count }) => count >= MIN_ALIKE && count * 2 > failed.length)
}

/** What is left to say of a failed check. */
function without(result: Result, common: ReadonlySet<string>): Result {
  const violations = result.violations.map((violation) => ({
    ...violation,
    differences: violation.differences.filter((difference) => !common.has(keyOf(difference))),
  }))
  return { ...result, violations: violations.filter(({ differences }) => differences.length > 0) }
}

function violationLines({ operation, outcome, title, rule, violations }: Result): string[] {
  const heading = styleText('red', `\n✗ ${operation} ${outcome}: ${title}`)
  const more = violations.length > MAX_VIOLATIONS ? [`\n  and ${violations.length - MAX_VIOLATIONS} more`] : []
  return [heading, ...violations.slice(0, MAX_VIOLATIONS).map((violation) => formatViolation(violation, rule)), ...more]
}

/** `rule` is what the contract says, unless a difference breaks a rule of its own. */
function formatViolation({ first, request, response, differences }: Violation, rule: string): string {
  const indented = (text: string) => text.replaceAll('\n', '\n            ')
  const pairs = differences.flatMap(({ expected, actual }) => [
    styleText('green', `  - expected  ${expected}`),
    styleText('red', `  + actual    ${actual}`),
  ])
  const exchange = (one: Pick<Violation, 'request' | 'response'>) => [
    `  sent      ${indented(one.request)}`,
    `  received  ${indented(one.response)}`,
  ]
  const rules = new Set(differences.map((difference) => difference.rule ?? rule).filter((text) => text !== ''))
  const isForbidden = differences.some(({ expected, actual }) => /^200\b/.test(expected) && /^4(03|21)\b/.test(actual))
  return [
    '',
    ...(first ? ['  first', ...exchange(first), '  then'] : []),
    ...exchange({ request, response }),
    ...pairs,
    ...[...rules].map((text) => `  contract  ${text}`),
    ...(isForbidden ? [`  hint      ${HOST_HINT}`] : []),
  ].join('\n')
}

/** The report that most CI systems read. */
export function junit({ results, startedAt, unchecked }: Run): string {
  const count = (...wanted: Verdict[]) => results.filter(({ verdict }) => wanted.includes(verdict)).length
  const attributes = {
    name: 'contract',
    tests: results.length,
    failures: count('failed'),
    errors: count('unreachable', 'not run'),
    skipped: count('skipped'),
    time: seconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
    timestamp: startedAt.toISOString().replace(/\..*/, ''),
  }
  const cases = results.map((result) => {
    const { operation, outcome, title, milliseconds } = result
    const [classname, time] = [`${operation}.${outcome}`, seconds(milliseconds)]
    return `${tag('testcase', { classname, name: title, time })}${inside(result)}</testcase>`
  })
  const output = `<system-out>${escaped(['Not checked:', ...unchecked()].join('\n- '))}</system-out>`
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', tag('testsuite', attributes), ...cases, output]
  return `${[...lines, '</testsuite>'].join('\n')}\n`
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3)

const tag = (name: string, attributes: Record<string, string | number>) =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(`${value}`)}"`)].join(' ')}>`

function inside({ verdict, notes, rule, violations }: Result): string {
  if (verdict === 'passed') return ''
  if (verdict === 'skipped') return `${tag('skipped', { message: notes.join(' ') || verdict })}</skipped>`
  // What could not be checked is not green.
  if (verdict !== 'failed')
    return `${tag('error', { message: notes.join(' ') || 'not run: the check was stopped' })}</error>`
  const first = violations[0]?.differences[0]
  const text = stripVTControlCharacters(violations.map((violation) => formatViolation(violation, rule)).join('\n'))
  return `${tag('failure', { message: `expected ${first?.expected}, got ${first?.actual}` })}${escaped(text)}</failure>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }
const escaped = (text: string) => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
