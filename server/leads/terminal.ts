import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { DAY_MS, fromNow } from '../storage/database.ts'
import { clearStep } from '../storage/progress.ts'

/** Writes data to standard output, and waits until it takes more. */
export async function print(data: string | Buffer) {
  if (process.stdout.isTTY) clearStep()
  if (!process.stdout.write(data)) await once(process.stdout, 'drain')
  // Node handles Ctrl-C only when its event loop turns. Writing to a file is synchronous, so let the loop turn here.
  await setImmediate()
}

/** Writes a line for people to standard error, because standard output is only for data. */
export function say(line: string) {
  clearStep()
  process.stderr.write(`${line}\n`)
}

// Swedish dates are ISO 8601 with a space instead of the T. People and spreadsheets can read them.
const LOCAL_TIME = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' })

/** The time zone of this machine, as `TZ` or the system sets it. */
export const TIME_ZONE = LOCAL_TIME.resolvedOptions().timeZone

/** An ISO time in the time zone of this machine, for example 2026-11-01 09:30:15. */
export const localTime = (time: string): string => LOCAL_TIME.format(new Date(time))

/** Reads a number of days like 7d. Returns the time that many days ago. */
export function readDaysAgo(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  if (days) return fromNow(-Number(days) * DAY_MS)
  throw new InvalidArgumentError('Must be days, for example 7d.')
}
