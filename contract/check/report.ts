import { styleText } from 'node:util'
import type { Difference } from '../operations.ts'
import { RUN_ID } from './requests.ts'
import { HOST_HINT, type Result, type Run, type Verdict } from './run.ts'
import type { Violation } from './violation.ts'

const LOOKS: Record<Verdict, readonly [sign: string, style: 'green' | 'red' | 'yellow' | 'dim']> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  'not run': ['– not run', 'dim'],
  skipped: ['· skipped', 'dim'],
}
/** The worst first. */
const VERDICTS: readonly Verdict[] = ['failed', 'not run', 'passed', 'skipped']

/** Failed checks that are shown in full. */
const MAX_FAILURES = 20
/** So many checks that fail alike have one cause. */
const MIN_ALIKE = 5

/** The report for a person: a line for each outcome, the failures, how to delete what was stored, and what was not checked. */
export function report(host: string, { results, counts, unchecked, stopReason }: Run): string {
  const withVerdict = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const failed = withVerdict('failed')
  const why = stopReason()
  if (results.every(({ verdict }) => verdict === 'not run')) return `${host}: ${why}.\nNothing was checked.`
  const causes = commonCauses(failed)
  const told = new Set(causes.map(({ key }) => key))
  const others = failed.map((result) => without(result, told)).filter(({ violations }) => violations.length > 0)
  const verdicts = VERDICTS.map((verdict) => `${withVerdict(verdict).length} ${verdict}`)
  const tally = verdicts.filter((count) => !count.startsWith('0 '))
  return [
    ...table(results),
    ...causes.flatMap(({ violation, difference, result, checks }) => [
      styleText('red', `\n✗ ${checks.size} checks fail for one cause, which is told once:`),
      formatViolation({ ...violation, differences: [difference] }, result.rule),
    ]),
    ...others.slice(0, MAX_FAILURES).flatMap(failureLines),
    ...(others.length > MAX_FAILURES ? [`\nand ${others.length - MAX_FAILURES} more; --json has all of them`] : []),
    '',
    `${tally.join(', ')}; ${counts.answers} answers`,
    ...(why === null ? [] : [styleText('yellow', `Stopped before its end: ${why}.`)]),
    ...(counts.accepted === 0
      ? []
      : [
          `Everything it stored has an address like contract+${RUN_ID}.1@example.com.`,
          `To delete it: email LIKE 'contract+${RUN_ID}.%'.`,
        ]),
    'Not checked:',
    ...unchecked().map((what) => `- ${what}`),
  ].join('\n')
}

/** A line for each outcome, and below it the titles of what did not pass. */
function table(results: readonly Result[]): string[] {
  const width = Math.max(...results.map(({ outcome }) => outcome.length))
  return [...new Set(results.map(({ operation }) => operation))].flatMap((operation) => {
    const ours = results.filter((result) => result.operation === operation)
    const lines = [...new Set(ours.map(({ outcome }) => outcome))].flatMap((outcome) => {
      const group = ours.filter((result) => result.outcome === outcome)
      const worst = VERDICTS.find((one) => group.some(({ verdict }) => verdict === one)) ?? 'passed'
      const [sign, style] = LOOKS[worst]
      const count = group.filter(({ verdict }) => verdict === worst).length
      const share = worst === 'failed' ? `${count} of ${group.length} failed` : `${group.length}`
      const heading = `  ${styleText(style, sign)} ${outcome.padEnd(width)}  ${styleText('dim', share)}`
      const titles = group.filter(({ verdict }) => verdict === 'failed').map(({ title }) => styleText('red', title))
      return [heading, ...titles.map((title) => `      ${title}`)]
    })
    return [operation, ...lines]
  })
}

/** A rule of its own is one cause, whatever was sent; other differences are if they are the same. */
const keyOf = ({ rule, expected, actual }: Difference) => rule ?? `${expected}\n${actual}`

/** What several of the failed checks have in common, with the first example of each. */
function commonCauses(failed: readonly Result[]) {
  type Cause = { key: string; result: Result; violation: Violation; difference: Difference; checks: Set<Result> }
  const causes = new Map<string, Cause>()
  for (const result of failed)
    for (const violation of result.violations)
      for (const difference of violation.differences) {
        const key = keyOf(difference)
        const cause = causes.get(key) ?? { key, result, violation, difference, checks: new Set() }
        causes.set(key, cause)
        cause.checks.add(result)
      }
  return [...causes.values()].filter(({ checks, difference }) =>
    difference.rule ? checks.size > 1 : checks.size >= MIN_ALIKE && checks.size * 2 > failed.length,
  )
}

/** What is left to say of a failed check. */
function without(result: Result, told: ReadonlySet<string>): Result {
  const violations = result.violations.map((violation) => ({
    ...violation,
    differences: violation.differences.filter((difference) => !told.has(keyOf(difference))),
  }))
  return { ...result, violations: violations.filter(({ differences }) => differences.length > 0) }
}

/** One violation in full: the others mostly have the same cause. */
function failureLines({ operation, outcome, title, rule, violations: [first, ...others] }: Result): string[] {
  const more = others.length > 0 ? [`  and ${others.length} more; --json has all of them`] : []
  const heading = styleText('red', `\n✗ ${operation} ${outcome}: ${title}`)
  return first ? [heading, formatViolation(first, rule), ...more] : []
}

/** `rule` is what the contract says, unless a difference breaks a rule of its own. */
export function formatViolation({ first, together, request, response, differences }: Violation, rule: string): string {
  const indented = (text: string) => text.replaceAll('\n', '\n            ')
  const exchange = (one: Pick<Violation, 'request' | 'response'>) => [
    `  sent      ${indented(one.request)}`,
    `  received  ${indented(one.response)}`,
  ]
  const rules = new Set(differences.map((difference) => difference.rule ?? rule).filter((text) => text !== ''))
  const isForbidden = differences.some(({ expected, actual }) => /^200\b/.test(expected) && /^4(03|21)\b/.test(actual))
  return [
    ...(first ? ['  first', ...exchange(first), '  then'] : []),
    ...(together ? [`  ${together.count} calls left at once, this one among them`] : []),
    ...exchange({ request, response }),
    ...(together ? [`  all got   ${indented(together.answers.join('\n'))}`] : []),
    ...differences.flatMap(({ expected, actual }) => [
      styleText('green', `  - expected  ${expected}`),
      styleText('red', `  + actual    ${actual}`),
    ]),
    ...[...rules].map((text) => `  contract  ${text}`),
    ...(isForbidden ? [`  hint      ${HOST_HINT}`] : []),
  ].join('\n')
}
