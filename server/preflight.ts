import { X509Certificate } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { codeOf, UserError } from './errors.ts'
import type { Settings } from './settings.ts'
import { backupFolder } from './storage/backups.ts'

/** Checks certificates, time zone and folders before a start. Changes nothing. Throws a UserError of one line. */
export function checkBeforeStart(env: NodeJS.ProcessEnv, settings: Settings): void {
  const { NODE_EXTRA_CA_CERTS: authorities, TZ } = env
  if (authorities) {
    attempt(
      `NODE_EXTRA_CA_CERTS must be a file of certificates that this user can read: this user can't use ${authorities}`,
      () => new X509Certificate(readFileSync(authorities)),
    )
  }
  // Some systems set TZ to :/etc/localtime. Node accepts this value, but Intl does not.
  if (TZ && !TZ.startsWith(':')) {
    attempt('TZ must be a time zone, for example Europe/Berlin', () => Intl.DateTimeFormat('en', { timeZone: TZ }))
  }
  const { DATABASE_URL: database } = settings
  if (database.kind === 'sqlite') checkFolder('DATABASE_URL', dirname(database.file))
  const folder = backupFolder(settings)
  if (folder !== null) checkFolder('BACKUP_FOLDER', resolve(folder))
}

/** The start makes a missing folder, so this checks the nearest parent that exists. */
function checkFolder(setting: string, folder: string) {
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  attempt(`${setting} must lead to a folder in which this user can write: this user can't write to ${existing}`, () =>
    accessSync(`${existing}/`, constants.W_OK | constants.X_OK),
  )
}

function attempt(message: string, use: () => unknown) {
  try {
    use()
  } catch (error) {
    throw new UserError(`${message} (${codeOf(error)}).`)
  }
}
