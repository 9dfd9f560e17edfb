import { stripVTControlCharacters, styleText } from 'node:util'
import { MARK } from './requests.ts'
import type { Run } from './run.ts'
import type { Break, Result, Verdict } from './trial.ts'

const LOOKS: Record<Verdict, readonly [sign: string, style: 'green' | 'red' | 'yellow' | 'dim']> = {
  held: ['✓ held', 'green'],
  broken: ['✗ broken', 'red'],
  'not reachable': ['! not reachable', 'yellow'],
  'not tried': ['– not tried', 'dim'],
  'not from outside': ['·', 'dim'],
}
const VERDICTS: readonly Verdict[] = ['held', 'broken', 'not reachable', 'not tried', 'not from outside']
const MOST_BREAKS = 3

/** Of checks that broke: what is wrong with all of a backend is told by a few. */
const MOST_SHOWN = 20

/** For a person: the table, under it each break, and how to find what was stored. */
export function report(host: string, { results, answered, unchecked, trouble, stopped }: Run, budget: number): string {
  const of = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted)
  const broken = of('broken')
  const why = trouble()
  if (why !== null && broken.length + of('held').length === 0) return `${host} ${why}.\nNothing was checked.`
  const counts = VERDICTS.map((verdict) => `${of(verdict).length} ${verdict}`).filter(
    (count) => !count.startsWith('0 '),
  )
  const lines = [
    ...table(results),
    ...broken.slice(0, MOST_SHOWN).flatMap(breaksOf),
    ...(broken.length > MOST_SHOWN ? [`\nand ${broken.length - MOST_SHOWN} more; --json tells all`] : []),
    '',
    `${counts.join(', ')}; ${answered.length} answers`,
  ]
  if (why !== null) lines.push(styleText('yellow', `${host} ${why}.`))
  if (stopped() !== null) lines.push(styleText('yellow', `Stopped before its end: ${stopped()}.`))
  lines.push('Not checked:', ...unchecked().map((what) => `- ${what}`))
  const late = answered.map(({ milliseconds }) => Math.round(milliseconds)).filter((time) => time > budget)
  if (late.length > 0) {
    const count = `${late.length} of ${answered.length} answers`
    lines.push(styleText('yellow', `Warning: ${count} took over ${budget} ms, the slowest ${Math.max(...late)} ms.`))
  }
  if (answered.some(({ method, status }) => method === 'POST' && status < 300)) {
    lines.push(`What it stored has addresses like contract+${MARK}.1@example.com.`)
    lines.push(`To remove it, delete what is LIKE 'contract+${MARK}.%'.`)
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
    const told = styleText(style, sign.padEnd(ofSign)) + (style === 'dim' ? styleText(style, title) : title)
    const news = before?.notes.join() === notes.join() ? [] : notes
    return [
      ...(before && !isSame ? [''] : []),
      name.padEnd(ofOperation) + example.padEnd(ofOutcome) + told,
      ...news.map((note) => ' '.repeat(ofOperation + ofOutcome + ofSign) + styleText('dim', note)),
    ]
  })
}

function breaksOf({ operation, outcome, title, breaks }: Result): string[] {
  if (breaks.length === 0) return []
  const heading = styleText('red', `\n✗ ${operation} ${outcome}: ${title}`)
  const more = breaks.length > MOST_BREAKS ? [`\n  and ${breaks.length - MOST_BREAKS} more`] : []
  return [heading, ...breaks.slice(0, MOST_BREAKS).map(shownBreak), ...more]
}

function shownBreak({ sent, came, differences }: Break): string {
  const indented = (text: string) => text.replaceAll('\n', '\n         ')
  const pairs = differences.flatMap(({ contract, came }) => [
    styleText('green', `  - contract  ${contract}`),
    styleText('red', `  + came      ${came}`),
  ])
  return ['', `  sent   ${indented(sent)}`, `  came   ${indented(came)}`, ...pairs].join('\n')
}

/** The report that most CI systems read. */
export function junit({ results, startedAt, unchecked }: Run): string {
  const count = (...wanted: Verdict[]) => results.filter(({ verdict }) => wanted.includes(verdict)).length
  const attributes = {
    name: 'contract',
    tests: results.length,
    failures: count('broken'),
    errors: count('not reachable'),
    skipped: count('not tried', 'not from outside'),
    time: seconds(results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
    timestamp: startedAt.toISOString().replace(/\..*/, ''),
  }
  const cases = results.map((result) => {
    const { operation, outcome, title, milliseconds } = result
    const [classname, time] = [`${operation}.${outcome}`, seconds(milliseconds)]
    return `${tag('testcase', { classname, name: title, time })}${inside(result)}</testcase>`
  })
  const told = `<system-out>${escaped(['Not checked:', ...unchecked()].join('\n- '))}</system-out>`
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', tag('testsuite', attributes), ...cases, told]
  return `${[...lines, '</testsuite>'].join('\n')}\n`
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3)

const tag = (name: string, attributes: Record<string, string | number>) =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(`${value}`)}"`)].join(' ')}>`

function inside({ verdict, notes, breaks }: Result): string {
  if (verdict === 'held') return ''
  if (verdict === 'not reachable') return `${tag('error', { message: notes.join(' ') })}</error>`
  if (verdict !== 'broken') return `${tag('skipped', { message: verdict })}</skipped>`
  const first = breaks[0]?.differences[0]
  const text = stripVTControlCharacters(breaks.map(shownBreak).join('\n'))
  return `${tag('failure', { message: `${first?.contract}, but: ${first?.came}` })}${escaped(text)}</failure>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }
const escaped = (text: string) => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
