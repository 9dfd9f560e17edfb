import { styleText } from 'node:util'
import type { Difference } from '../operations.ts'
import { RUN_ID } from './requests.ts'
import { HOST_HINT, type Result, type Run, type Verdict } from './run.ts'
import type { Violation } from './violation.ts'

const LOOKS: Record<Verdict, readonly [sign: string, style: 'green' | 'red' | 'yellow' | 'dim']> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  'not run': ['–', 'yellow'],
  skipped: ['·', 'dim'],
}
/** All verdicts, the worst first: an outcome shows the worst of its rows. */
const VERDICTS: readonly Verdict[] = ['failed', 'not run', 'passed', 'skipped']

/** The most causes that are shown in full. */
const MAX_CAUSES = 20
/** The same difference in this many rows or more, if they are most of what failed, is shown as one cause. */
const MIN_ALIKE = 5

/** The report for people: a line for each outcome, the failures, how to delete what was stored, what is unchecked. */
export function report(host: string, { results, counts, unchecked, stopReason }: Run): string {
  const withVerdict = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const failed = withVerdict('failed')
  const why = stopReason()
  if (results.every(({ verdict }) => verdict === 'not run')) return `${host}: ${why}.\nNothing was checked.`
  const causes = causesOf(failed)
  const verdicts = VERDICTS.map((verdict) => `${withVerdict(verdict).length} ${verdict}`)
  const tally = verdicts.filter((count) => !count.startsWith('0 '))
  return [
    ...table(results, new Set(causes.filter(isOneRow).flatMap(resultsOf))),
    ...causes.slice(0, MAX_CAUSES).flatMap(causeLines),
    ...(causes.length > MAX_CAUSES ? [`\nand ${causes.length - MAX_CAUSES} more; --json has all of them`] : []),
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

/** A line for each outcome, and below it the titles of what failed for a cause of its own. */
function table(results: readonly Result[], ownFaults: ReadonlySet<Result>): string[] {
  const width = Math.max(...results.map(({ outcome }) => outcome.length))
  return [...new Set(results.map(({ operation }) => operation))].flatMap((operation) => {
    const ours = results.filter((result) => result.operation === operation)
    const lines = [...new Set(ours.map(({ outcome }) => outcome))].flatMap((outcome) => {
      const group = ours.filter((result) => result.outcome === outcome)
      const worst = VERDICTS.find((one) => group.some(({ verdict }) => verdict === one)) ?? 'passed'
      const [sign, style] = LOOKS[worst]
      const count = group.filter(({ verdict }) => verdict === worst).length
      const share = worst === 'passed' ? `${group.length}` : `${count} of ${group.length} ${worst}`
      const heading = `  ${styleText(style, sign)} ${outcome.padEnd(width)}  ${styleText('dim', share)}`
      const titles = group.filter((result) => ownFaults.has(result)).map(({ title }) => styleText('red', title))
      return [heading, ...titles.map((title) => `      ${title}`)]
    })
    return [operation, ...lines]
  })
}

type Fault = { readonly result: Result; readonly violation: Violation; readonly difference: Difference }

/** Groups the faults by cause: a rule of its own, the same difference in most of what failed, or one row's title. */
function causesOf(failed: readonly Result[]): Fault[][] {
  const faults = failed.flatMap((result) =>
    result.violations.flatMap((violation) =>
      violation.differences.map((difference): Fault => ({ result, violation, difference })),
    ),
  )
  const textOf = ({ difference: { expected, actual } }: Fault) => `${expected}\n${actual}`
  const rowsWith = new Map<string, Set<Result>>()
  for (const fault of faults) rowsWith.set(textOf(fault), (rowsWith.get(textOf(fault)) ?? new Set()).add(fault.result))
  const isCommon = (text: string, { size } = rowsWith.get(text) ?? new Set()) =>
    size >= MIN_ALIKE && size * 2 > failed.length
  const causes = new Map<string, Fault[]>()
  for (const fault of faults) {
    const key = fault.difference.rule ?? (isCommon(textOf(fault)) ? textOf(fault) : fault.result.title)
    causes.set(key, [...(causes.get(key) ?? []), fault])
  }
  return [...causes.values()]
}

const resultsOf = (faults: readonly Fault[]) => [...new Set(faults.map(({ result }) => result))]
const isOneRow = (faults: readonly Fault[]) => new Set(faults.map(({ result }) => result.title)).size === 1

/** The lines of one cause: its shortest example in full, since the others mostly have the same cause. */
function causeLines(faults: readonly Fault[]): string[] {
  const [shown] = faults.toSorted((one, other) => one.violation.request.length - other.violation.request.length)
  if (!shown) return []
  const { result, violation } = shown
  const rows = resultsOf(faults)
  const places = rows.map(({ operation, outcome }) => `${operation} ${outcome}`).join(' and ')
  const [titles, most] = [[...new Set(rows.map(({ title }) => title))], 3]
  const named = `${titles.slice(0, most).join('; ')}${titles.length > most ? ' …' : ''}`
  const heading = isOneRow(faults) ? `${places}: ${result.title}` : `${rows.length} checks fail for one cause: ${named}`
  const differences = faults.filter((fault) => fault.violation === violation).map(({ difference }) => difference)
  const others = new Set(faults.map((fault) => fault.violation)).size - 1
  return [
    styleText('red', `\n✗ ${heading}`),
    formatViolation({ ...violation, differences }, result.rule),
    ...(others > 0 ? [`  and ${others} more; --json has all of them`] : []),
  ]
}

/** A violation as text. `rule` is what the contract says, unless a difference breaks a rule of its own. */
export function formatViolation({ first, together, request, response, differences }: Violation, rule: string): string {
  const indented = (text: string) => text.replaceAll('\n', '\n            ')
  const exchange = (one: Pick<Violation, 'request' | 'response'>) => [
    `  sent      ${indented(one.request)}`,
    `  received  ${indented(one.response)}`,
  ]
  const rules = new Set(differences.map((difference) => difference.rule ?? rule).filter((text) => text !== ''))
  const isOfBrowser = /^(origin|sec-fetch-site): /m.test(request)
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
    ...(isForbidden && isOfBrowser ? [`  hint      ${HOST_HINT}`] : []),
  ].join('\n')
}
