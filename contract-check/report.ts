import { stripVTControlCharacters, styleText } from 'node:util'
import type { Result, Verdict, Violation } from './context.ts'
import { RUN_ID } from './requests.ts'
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

/** Failed checks that are shown in full: a fault of the whole backend fails most of them. */
const MAX_FAILURES = 20

/** The report for a person: the table, each violation, and how to delete what was stored. */
export function report(
  host: string,
  { results, answered, unchecked, abortReason, stopReason }: Run,
  budget: number,
): string {
  const withVerdict = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const failed = withVerdict('failed')
  const why = abortReason()
  if (why !== null && failed.length + withVerdict('passed').length === 0) return `${host} ${why}.\nNothing was checked.`
  const counts = VERDICTS.map((verdict) => `${withVerdict(verdict).length} ${verdict}`).filter(
    (count) => !count.startsWith('0 '),
  )
  const lines = [
    ...table(results),
    ...failed.slice(0, MAX_FAILURES).flatMap(violationLines),
    ...(failed.length > MAX_FAILURES ? [`\nand ${failed.length - MAX_FAILURES} more; --json has all of them`] : []),
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

function violationLines({ operation, outcome, title, violations }: Result): string[] {
  if (violations.length === 0) return []
  const heading = styleText('red', `\n✗ ${operation} ${outcome}: ${title}`)
  const more = violations.length > MAX_VIOLATIONS ? [`\n  and ${violations.length - MAX_VIOLATIONS} more`] : []
  return [heading, ...violations.slice(0, MAX_VIOLATIONS).map(formatViolation), ...more]
}

function formatViolation({ request, response, differences }: Violation): string {
  const indented = (text: string) => text.replaceAll('\n', '\n            ')
  const pairs = differences.flatMap(({ expected, actual }) => [
    styleText('green', `  - expected  ${expected}`),
    styleText('red', `  + actual    ${actual}`),
  ])
  return ['', `  sent      ${indented(request)}`, `  received  ${indented(response)}`, ...pairs].join('\n')
}

/** The report that most CI systems read. */
export function junit({ results, startedAt, unchecked }: Run): string {
  const count = (...wanted: Verdict[]) => results.filter(({ verdict }) => wanted.includes(verdict)).length
  const attributes = {
    name: 'contract',
    tests: results.length,
    failures: count('failed'),
    errors: count('unreachable'),
    skipped: count('not run', 'skipped'),
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

function inside({ verdict, notes, violations }: Result): string {
  if (verdict === 'passed') return ''
  if (verdict === 'unreachable') return `${tag('error', { message: notes.join(' ') })}</error>`
  if (verdict !== 'failed') return `${tag('skipped', { message: notes.join(' ') || verdict })}</skipped>`
  const first = violations[0]?.differences[0]
  const text = stripVTControlCharacters(violations.map(formatViolation).join('\n'))
  return `${tag('failure', { message: `expected ${first?.expected}, got ${first?.actual}` })}${escaped(text)}</failure>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }
const escaped = (text: string) => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
