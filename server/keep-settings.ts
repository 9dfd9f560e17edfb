import type { Settings } from './setting-names.ts'
import { UserError } from './user-error.ts'

/** How many backups `leads nightly` keeps, and for how many days it keeps leads; null is for ever. */
export type Keep = {
  readonly backups: number
  readonly days: { readonly subscribers: number | null; readonly enquiries: number | null }
}

/** An empty value counts as unset. Throws a UserError. */
export function readKeepSettings(env: Settings): Keep {
  return {
    backups: readCount('KEEP_BACKUPS', env.KEEP_BACKUPS || '30'),
    days: {
      subscribers: env.KEEP_SUBSCRIBERS_DAYS ? readCount('KEEP_SUBSCRIBERS_DAYS', env.KEEP_SUBSCRIBERS_DAYS) : null,
      enquiries: env.KEEP_ENQUIRIES_DAYS ? readCount('KEEP_ENQUIRIES_DAYS', env.KEEP_ENQUIRIES_DAYS) : null,
    },
  }
}

function readCount(name: string, text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UserError(`${name} must be a whole number from 1 to 99999, not ${JSON.stringify(text)}.`)
}
