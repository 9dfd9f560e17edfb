import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { UserError } from '../user-error.ts'
import { configuredDatabase, withLeads } from './database.ts'
import { writeWhole } from './export.ts'
import { LEAD_TABLES } from './rows.ts'
import { say } from './terminal.ts'

/** Copies the SQLite file, while servers use it, into a new one, and checks the copy. */
export async function backup(name: string) {
  const file = resolve(name)
  const source = configuredDatabase()
  if (source.kind === 'postgres') {
    throw new UserError(
      'PostgreSQL makes its own backups: run pg_dump --format=custom for the database of DATABASE_URL.',
    )
  }
  if (existsSync(file)) throw new UserError(`${file} exists already: name a new file.`)
  // Refuses a database without the tables of a server: its copy would be no backup.
  await withLeads('read', async () => {})
  await writeWhole(file, async (partFile) => {
    closeSync(openSync(partFile, 'wx', 0o600))
    await copyDatabase(source.file, partFile)
    say(`Backed up and checked: ${check(partFile, source.file)}`)
  })
}

/** Copies a file while a server uses it. It takes one step, because several would begin again after each commit. */
async function copyDatabase(file: string, target: string) {
  const sqlite = new SqliteFile(file, { readonly: true, timeout: 10_000 })
  try {
    const { totalPages } = await sqlite.backup(target, { progress: () => 2 ** 31 - 1 })
    // The library reports no pages if the file stays locked.
    if (totalPages === 0) throw new UserError(`${file} is locked: end the other program that uses it, and try again.`)
  } finally {
    sqlite.close()
  }
}

/** Checks the whole copy, which is as damaged as its source. Returns the number of rows in each table, as text. */
function check(copy: string, file: string): string {
  const sqlite = new SqliteFile(copy, { readonly: true })
  try {
    if (sqlite.pragma('integrity_check(1)', { simple: true }) !== 'ok') {
      throw new UserError(`${file} is damaged: stop its server, and restore the newest backup that is whole.`)
    }
    const count = (table: string) => Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get())
    return LEAD_TABLES.map((table) => `${table} ${count(table)}`).join(', ')
  } finally {
    sqlite.close()
  }
}
