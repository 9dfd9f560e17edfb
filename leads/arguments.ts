import { InvalidArgumentError } from 'commander'
import type { Kind } from './database.ts'

/** A time as ISO 8601, from days ago or a date. */
export function readTime(text: string): string {
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

export function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number from 1 to 999999.')
}

export function readId(text: string): [Kind, number] {
  const [, letter, id] = /^([se])(\d{1,15})$/.exec(text) ?? []
  if (id) return [letter === 's' ? 'subscribers' : 'enquiries', Number(id)]
  throw new InvalidArgumentError('Must be like s12 for subscriber 12, or e7 for enquiry 7.')
}
