import { stripVTControlCharacters } from 'node:util'
import { formatViolation } from './report.ts'
import type { Result, Run, Verdict } from './run.ts'

/** The report that most CI systems read. */
export function junit({ results, startedAt, unchecked }: Run): string {
  const count = (...wanted: Verdict[]) => results.filter(({ verdict }) => wanted.includes(verdict)).length
  const attributes = {
    name: 'contract',
    tests: results.length,
    failures: count('failed'),
    errors: count('not run'),
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

function inside({ verdict, skipped, rule, violations }: Result): string {
  if (verdict === 'passed') return ''
  if (verdict === 'skipped') return `${tag('skipped', { message: skipped ?? verdict })}</skipped>`
  // What could not be checked is not green.
  if (verdict === 'not run') return `${tag('error', { message: 'not run: the check was stopped' })}</error>`
  const first = violations[0]?.differences[0]
  const text = stripVTControlCharacters(violations.map((violation) => formatViolation(violation, rule)).join('\n\n'))
  return `${tag('failure', { message: `expected ${first?.expected}, got ${first?.actual}` })}${escaped(text)}</failure>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }
const escaped = (text: string) => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
