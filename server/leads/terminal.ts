import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { InvalidArgumentError } from 'commander'
import { UserError } from '../user-error.ts'

/** Writes a line for people to standard error, because standard output is only for data. */
export const say = (line: string) => void process.stderr.write(`${line}\n`)

/** Returns if the user at the terminal answers yes, or has passed --yes; otherwise throws a UserError. */
export async function confirm(question: string, yes = false): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UserError('Not a terminal, cannot ask for confirmation. Nothing was erased; pass --yes to go ahead.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C rejects the question, and Ctrl-D never answers it: both mean no.
  const asked = terminal.question(`${question} [y/N] `).catch(() => '')
  const answer = await Promise.race([asked, once(terminal, 'close').then(() => '')])
  terminal.close()
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new UserError('Nothing was erased.')
}

// Swedish dates are ISO 8601 with a blank, a form that people and spreadsheets can read.
const LOCAL_TIME = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' })

/** The zone of this machine, as `TZ` or the system sets it. */
export const TIME_ZONE = LOCAL_TIME.resolvedOptions().timeZone

/** An ISO time as 2026-11-01 09:30:15 in the zone of this machine. */
export const localTime = (time: string): string => LOCAL_TIME.format(new Date(time))

/** The time some days ago, as ISO 8601 in UTC. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

/** A time as ISO 8601 in UTC, from days ago, or from the beginning of a date in the zone of this machine. */
export function readTime(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days) return daysAgo(Number(days))
  const date = new Date(`${text}T00:00`)
  // A date like 2026-02-30 becomes another one.
  if (Number.isNaN(date.getTime()) || localTime(date.toISOString()).slice(0, 10) !== text) {
    throw new InvalidArgumentError('Must be days, for example 7d, or a date, for example 2026-11-01.')
  }
  return date.toISOString()
}
