import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readKeepSettings } from '../keep-settings.ts'
import { settingsOf } from '../setting-names.ts'
import { backup } from './backup.ts'
import { configuredDatabase, withLeads } from './database.ts'
import { purge } from './erase.ts'
import { type Db, LEAD_TABLES } from './rows.ts'

/** The names sort by time. The file of a killed backup has a longer name, and counts as a backup. */
const BACKUP = /^leads-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.db/

/**
 * The nightly work. Each step is done only if the step before succeeded: a checked backup into a folder, the deletion
 * of the oldest backups there beyond KEEP_BACKUPS, and of leads older than KEEP_SUBSCRIBERS_DAYS and
 * KEEP_ENQUIRIES_DAYS. PostgreSQL is backed up by its own means.
 */
export async function nightly(folder: string) {
  const keep = readKeepSettings(settingsOf(process.env))
  if (configuredDatabase().kind === 'sqlite') {
    await backup(join(folder, `leads-${new Date().toISOString().replaceAll(':', '')}.db`))
    // An empty database may be the wrong one, for example if a volume is not mounted: then older backups stay.
    if (await withLeads('read', hasLeads)) deleteOldest(folder, keep.backups)
  }
  for (const table of LEAD_TABLES) {
    const days = keep.days[table]
    if (days === null) continue
    const olderThan = new Date(Date.now() - days * 86_400_000).toISOString()
    await withLeads('write', (db) => purge(db, table, { olderThan, yes: true }))
  }
}

async function hasLeads(db: Db): Promise<boolean> {
  for (const table of LEAD_TABLES) {
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return true
  }
  return false
}

/** Counts backups, and compares no times, because the clock may be wrong. */
function deleteOldest(folder: string, keptCount: number) {
  const backups = readdirSync(folder)
    .filter((name) => BACKUP.test(name))
    .toSorted()
  for (const name of backups.slice(0, -keptCount)) rmSync(join(folder, name))
}
