import { createWriteStream, existsSync, realpathSync, renameSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Kysely } from 'kysely'
import type { Database, Tables } from '../server/storage/database.ts'
import { UserError } from '../server/user-error.ts'
import { isFile } from './database.ts'
import { formatCsv } from './format.ts'
import { progress, removeOnExit } from './progress.ts'
import { exportedColumns } from './read.ts'
import { countRows, inSnapshot, type LeadTable, pages } from './rows.ts'

type Options = { readonly since?: string; readonly out?: string; readonly force?: true }

/** Writes CSV to standard output, or to a file that gets its name once it is complete. */
export const exportRows = (database: Database, table: LeadTable, { since = '', out, force }: Options) =>
  inSnapshot(database, async (db) => {
    const rows = csvPages(db, table, since)
    if (out === undefined) return pipeline(rows, process.stdout, { end: false })
    const exists = existsSync(out)
    if (exists && !isFile(out)) {
      throw new UserError(`${out} is not a regular file: omit --out and redirect standard output there.`)
    }
    if (exists && !force) throw new UserError(`${out} exists already: pass --force to replace it.`)
    // Replaces the target of a link, not the link.
    const file = exists ? realpathSync(out) : out
    const part = `${file}.${process.pid}.part`
    removeOnExit(part)
    await pipeline(rows, createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }))
    renameSync(part, file)
  })

async function* csvPages(db: Kysely<Tables>, table: LeadTable, since: string) {
  const report = progress(`Exporting ${table}`, await countRows(db, table, since))
  let done = 0
  yield formatCsv([], exportedColumns(table))
  for await (const page of pages(db, table, since)) {
    yield formatCsv(page, exportedColumns(table), false)
    done += page.length
    report(done)
  }
}
