import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import stringWidth from 'string-width'
import { escapeControls } from '../escape-controls.ts'
import { UserError } from '../user-error.ts'
import type { Table } from './rows.ts'

/** Adds a command whose help ends with an example: its usage, if no other is given. */
export type AddCommand = (usage: string, description: string, example?: string) => Command

export const sinceOption = new Option('--since <time>', 'days ago, like 7d, or a date, like 2026-11-01').argParser(
  readTime,
)
export const limitOption = new Option('--limit <number>', 'maximum number of rows').argParser(readLimit).default(20)
export const jsonOption = new Option('--json', 'print JSON')
export const outOption = new Option('--out <file>', 'write to a new file (mode 0600)')
export const forceOption = new Option('--force', 'replace the file of --out')
export const yesOption = new Option('--yes', 'do not ask for confirmation')

/** The zone of this machine, as `TZ` or the system sets it. */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

// Swedish dates are those of ISO 8601 with a blank, which people and spreadsheets read.
const LOCAL_TIME = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' })

/** An ISO time as 2026-11-01 09:30:15 in the zone of this machine. */
export const localTime = (time: string): string => LOCAL_TIME.format(new Date(time))

/** A time as ISO 8601, from days ago, or from the beginning of a date in the zone of this machine. */
export function readTime(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days ? Date.now() - Number(days) * 86_400_000 : Date.parse(`${text}T00:00`)
  if (!Number.isNaN(time)) {
    const date = new Date(time).toISOString()
    if (days || localTime(date).slice(0, 10) === text) return date
  }
  throw new InvalidArgumentError('Must be days, for example 7d, or a date, for example 2026-11-01.')
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number from 1 to 999999.')
}

let heldBack = ''

/** Tells people who watch. Without a terminal it is said only before an error, because cron mails all output. */
export function sayToWatchers(line: string) {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`)
  else heldBack += `${line}\n`
}

/** Prints an error, after the lines that were held back, to standard error: standard output is for data alone. */
export function printError(line: string) {
  process.stderr.write(`${heldBack}${line}\n`)
  heldBack = ''
}

/** Returns a function that prints how far long work is, twice a second, if somebody watches. */
export function progress(task: string): (done: number) => void {
  let reportedAt = performance.now()
  return (done) => {
    if (!process.stderr.isTTY || performance.now() - reportedAt < 500) return
    reportedAt = performance.now()
    sayToWatchers(`${task}: ${done.toLocaleString('en')} so far`)
  }
}

/** Whether the person at the terminal says yes, or has said so by --yes. Throws a UserError if nobody can be asked. */
export async function confirm(question: string, yes = false): Promise<boolean> {
  if (yes) return true
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UserError('Not a terminal, cannot ask for confirmation. Nothing was changed; pass --yes to go ahead.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C rejects the question, and Ctrl-D never answers it: both mean no.
  const asked = terminal.question(`${question} [y/N] `).catch(() => '')
  const answer = await Promise.race([asked, once(terminal, 'close').then(() => '')])
  terminal.close()
  return /^\s*y(es)?\s*$/i.test(answer)
}

const NOUNS: Record<Table, [one: string, several: string]> = {
  subscribers: ['subscriber', 'subscribers'],
  enquiries: ['enquiry', 'enquiries'],
  outbox: ['message to staff', 'messages to staff'],
}

/** A number of rows in words. */
export const counted = (count: number, table: Table) =>
  `${count.toLocaleString('en')} ${NOUNS[table][count === 1 ? 0 : 1]}`

/** Lines that a terminal shows and never acts on. */
export const escapeForTerminal = (text: string): string => escapeControls(text).replaceAll('\t', '    ')

const ESCAPED = /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** JSON that is safe on a terminal, too. */
export const formatJson = (data: unknown): string =>
  `${JSON.stringify(data, null, 2).replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`

export type Fields = Readonly<Record<string, string | number | null | undefined>>

/** One line for each row. Names get 30 characters, the last column the rest of the screen. */
export function formatTable(rows: readonly Fields[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((name) => escapeForTerminal(`${row[name] ?? ''}`).replaceAll('\n', ' ')))
  const lines = [columns, ...cells].map((line) => line.map((cell, i) => (columns[i] === 'name' ? cut(cell, 30) : cell)))
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => stringWidth(line[i] ?? ''))) + 2)
  const room = (process.stdout.columns ?? 120) - widths.slice(0, -1).reduce((sum, width) => sum + width, 0)
  const padded = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - stringWidth(cell))
  return lines
    .map((line) => `${line.slice(0, -1).map(padded).join('')}${cut(line.at(-1) ?? '', Math.max(room, 30))}\n`)
    .join('')
}

function cut(text: string, room: number): string {
  if (stringWidth(text) <= room) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= room) break
    kept += segment
  }
  return `${kept}…`
}
