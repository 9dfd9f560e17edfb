import type { Result } from './run.ts'

/** The report that most CI systems read. */
export function junit(results: readonly Result[]): string {
  const suites = Map.groupBy(results, ({ operation }) => operation)
  const lines = [...suites].flatMap(([operation, results]) => [
    `  <testsuite name="${operation}" tests="${results.length}" failures="${count(results, 'broken')}" errors="${count(results, 'not reachable')}">`,
    ...results.map(
      (result) =>
        `    <testcase classname="${operation}.${result.outcome}" name="${escaped(result.title)}">${inside(result)}</testcase>`,
    ),
    '  </testsuite>',
  ])
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="contract">', ...lines, '</testsuites>', ''].join(
    '\n',
  )
}

const count = (results: readonly Result[], verdict: string) => results.filter((it) => it.verdict === verdict).length

function inside({ verdict, breaks }: Result): string {
  if (verdict === 'held') return ''
  if (verdict === 'not reachable') return '<error message="not reachable"/>'
  if (verdict !== 'broken') return `<skipped message="${verdict}"/>`
  const differences = breaks.flatMap(({ differences }) => differences)
  const message = differences.map(({ contract, came }) => `${contract}, but: ${came}`)[0] ?? ''
  const text = breaks.map(({ sent, came, differences }) =>
    [
      `sent ${sent}`,
      `came ${came}`,
      ...differences.map((it) => `- contract ${it.contract}\n+ came     ${it.came}`),
    ].join('\n'),
  )
  return `<failure message="${escaped(message)}">${escaped(text.join('\n\n'))}</failure>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }

const escaped = (text: string) => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
