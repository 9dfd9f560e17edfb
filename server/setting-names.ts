import { readSettingsFile } from './settings-file.ts'
import { UserError } from './user-error.ts'

/** Every variable that the server reads. */
export const SETTING_NAMES = [
  'PORT',
  'HOST',
  'PUBLIC_ORIGIN',
  'TRUST_PROXY',
  'METRICS_PORT',
  'METRICS_HOST',
  'DATABASE_URL',
  'KEEP_BACKUPS',
  'KEEP_SUBSCRIBERS_DAYS',
  'KEEP_ENQUIRIES_DAYS',
  'RATE_LIMIT',
  'RATE_LIMIT_SUBSCRIBE',
  'RATE_LIMIT_CONTACT_US',
  'REVEAL_EXISTING',
  'NOTIFY_SMTP_URL',
  'NOTIFY_FROM',
  'NOTIFY_TO',
  'NOTIFY_SMTP_CA',
  'NOTIFY_FIRST_DELAY',
  'NOTIFY_WEBHOOK_URL',
  'NOTIFY_WEBHOOK_SECRET',
  'NOTIFY_WEBHOOK_SECRET_OLD',
] as const

/** The settings by their names. Code that reads a name that is missing above does not compile. */
export type Settings = { readonly [Name in (typeof SETTING_NAMES)[number]]?: string | undefined }

/**
 * Names that can only be meant for this server. Hosts set others that begin with DATABASE_, for example
 * DATABASE_PRIVATE_URL; systemd sets NOTIFY_SOCKET.
 */
const OURS = /^(NOTIFY_(?!SOCKET$)|RATE_LIMIT|METRICS_|TRUST_|REVEAL_|PUBLIC_|KEEP_|DATABASE_UR.?$)/

/**
 * The settings of an environment, and of the file that its SETTINGS_FILE names. The file wins. Throws a UserError if a
 * name is misspelt, because no code would read it.
 */
export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const known: readonly string[] = SETTING_NAMES
  const unknown = Object.keys(env).find((name) => env[name] && OURS.test(name) && !known.includes(name))
  if (unknown === undefined) {
    return env.SETTINGS_FILE ? { ...env, ...readSettingsFile(env.SETTINGS_FILE, known) } : env
  }
  const family = unknown.slice(0, unknown.indexOf('_') + 1)
  const names = known.filter((name) => name.startsWith(family)).join(', ')
  throw new UserError(`There is no setting ${unknown}. Settings of this kind: ${names}.`)
}
