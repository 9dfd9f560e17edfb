import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { LEAD_TABLES, LEADS, type LeadTable } from './rows.ts'

/** Adds a command whose help ends with an example: its usage, if no other is given. */
export type AddCommand = (usage: string, description: string, example?: string) => Command

export type Format = { readonly json?: true; readonly csv?: true }

export const tableArgument = new Argument('<kind>').choices(LEAD_TABLES)
export const sinceOption = new Option(
  '--since <time>',
  'days ago, like 7d, or a date in UTC, like 2026-11-01',
).argParser(readTime)
export const limitOption = new Option('--limit <number>', 'maximum number of rows').argParser(readLimit).default(20)
export const jsonOption = new Option('--json', 'print JSON')
export const csvOption = new Option('--csv', 'print CSV without live formulas').conflicts('json')

/** A time as ISO 8601, from days ago or a date. */
function readTime(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days ? Date.now() - Number(days) * 86_400_000 : Date.parse(`${text}T00:00Z`)
  const date = Number.isNaN(time) ? '' : new Date(time).toISOString()
  if (days || (date !== '' && date.slice(0, 10) === text)) return date
  throw new InvalidArgumentError('Must be days, for example 7d, or a date in UTC, for example 2026-11-01.')
}

export function readPast(text: string): string {
  const time = readTime(text)
  if (time <= new Date().toISOString()) return time
  throw new InvalidArgumentError('Must be in the past.')
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number from 1 to 999999.')
}

export function readId(text: string): [LeadTable, number] {
  const lead = LEADS.find(({ letter }) => text.startsWith(letter))
  if (lead && /^.\d{1,15}$/.test(text)) return [lead.table, Number(text.slice(1))]
  throw new InvalidArgumentError('Must be like s12 for subscriber 12, or e7 for enquiry 7.')
}
