import { InvalidArgumentError } from 'commander'

const { timeZone = '' } = new Intl.DateTimeFormat().resolvedOptions()

/** The zone of this machine, as `TZ` or the system sets it. For some zones, such as EST5, Node has no name. */
export const TIME_ZONE = /[a-z]/i.test(timeZone) && timeZone !== 'Etc/Unknown' ? timeZone : offsetFromUtc()

function offsetFromUtc(): string {
  const minutes = -new Date().getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${`${hours}`.padStart(2, '0')}:${`${rest}`.padStart(2, '0')}`
}

// Swedish dates are ISO 8601 with a blank, a form that people and spreadsheets can read.
const LOCAL_TIME = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' })

/** An ISO time as 2026-11-01 09:30:15 in the zone of this machine. */
export const localTime = (time: string): string => LOCAL_TIME.format(new Date(time))

/** The same without seconds. */
export const localMinute = (time: string): string => localTime(time).slice(0, 16)

/** The date of this machine that number of days ago, like 2026-11-01. */
export function dayBefore(days: number): string {
  const date = new Date()
  // A day that begins or ends summer time is shorter or longer than 24 hours.
  date.setDate(date.getDate() - days)
  return LOCAL_TIME.format(date).slice(0, 10)
}

/** A time as ISO 8601 in UTC, from days ago, or from the beginning of a date in the zone of this machine. */
export function readTime(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const time = days ? Date.now() - Number(days) * 86_400_000 : Date.parse(`${text}T00:00`)
  if (!Number.isNaN(time)) {
    const date = new Date(time).toISOString()
    if (days || localTime(date).slice(0, 10) === text) return date
  }
  throw new InvalidArgumentError('Must be days, for example 7d, or a date, for example 2026-11-01.')
}
