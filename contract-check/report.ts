import { styleText } from 'node:util'
import type { Result, Run, Verdict } from './run.ts'

type Style = Parameters<typeof styleText>[0]

const LOOKS: Record<Verdict, { sign: string; style: Style }> = {
  held: { sign: '✓ held', style: 'green' },
  broken: { sign: '✗ broken', style: 'red' },
  'not reachable': { sign: '! not reachable', style: 'yellow' },
  'not tried': { sign: '– not tried', style: 'dim' },
  'not from outside': { sign: '·', style: 'dim' },
}
const MOST_BREAKS = 3

/** For a person: the table, under it each break, and how to find what was stored. */
export function report(results: readonly Result[], { mark, times }: Run, budget: number, isColoured: boolean): string {
  const paint = (style: Style, text: string) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
  const width = (cell: (result: Result) => string) => Math.max(...results.map((result) => cell(result).length)) + 2
  const [ofOperation, ofOutcome] = [width(({ operation }) => operation), width(({ outcome }) => outcome)]
  const ofSign = Math.max(...results.map(({ verdict }) => LOOKS[verdict].sign.length)) + 2

  const rows = results.map(({ operation, outcome, title, verdict, notes }, i) => {
    const before = results[i - 1]
    const isSame = before?.operation === operation
    const { sign, style } = LOOKS[verdict]
    const names =
      (isSame ? '' : operation).padEnd(ofOperation) +
      (isSame && before.outcome === outcome ? '' : outcome).padEnd(ofOutcome)
    const text = paint(style, sign.padEnd(ofSign)) + (style === 'dim' ? paint('dim', title) : title)
    const isTold = before?.notes.join() === notes.join()
    const noted = (isTold ? [] : [...new Set(notes)]).map(
      (note) => `\n${' '.repeat(ofOperation + ofOutcome + ofSign)}${paint('dim', note)}`,
    )
    return `${i > 0 && !isSame ? '\n' : ''}${names}${text}${noted.join('')}`
  })

  const indented = (text: string) => text.replaceAll('\n', '\n         ')
  const breaks = results.flatMap(({ operation, outcome, title, breaks }) => {
    const shown = breaks
      .slice(0, MOST_BREAKS)
      .flatMap(({ sent, came, differences }) => [
        `\n  sent   ${indented(sent)}`,
        `  came   ${indented(came)}`,
        ...differences.flatMap((it) => [
          paint('green', `  - contract  ${it.contract}`),
          paint('red', `  + came      ${it.came}`),
        ]),
      ])
    const more = breaks.length - MOST_BREAKS
    if (breaks.length === 0) return []
    return [
      '',
      paint('red', `✗ ${operation} ${outcome}: ${title}`),
      ...shown,
      ...(more > 0 ? [`\n  and ${more} more`] : []),
    ]
  })

  const late = times.filter((time) => time > budget)
  const warning = `Warning: ${late.length} of ${times.length} answers took over ${budget} ms, the slowest ${Math.round(Math.max(...late))} ms.`
  const counts = Object.entries(LOOKS).flatMap(([verdict, { style }]) => {
    const count = results.filter((result) => result.verdict === verdict).length
    return count > 0 ? [paint(style, `${count} ${verdict}`)] : []
  })
  return [
    ...rows,
    ...breaks,
    '',
    `${counts.join(', ')}; ${times.length} answers`,
    ...(late.length > 0 ? [paint('yellow', warning)] : []),
    `What it stored has addresses like contract+${mark}.1@example.com: to remove it, delete what is LIKE 'contract+${mark}.%'.`,
  ].join('\n')
}
