import { copyFileSync, existsSync, linkSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type DatabaseAddress, StartError } from '../configuration.ts'
import type { Tables } from '../database.ts'
import { countRows, inSnapshot, pages, type Table, withDatabase } from './leads.ts'
import { progress, removeAtEnd, say } from './progress.ts'

const TABLES: readonly Table[] = ['subscribers', 'enquiries', 'outbox']

/** Copies all rows of one moment with their numbers into a database that has none; if anything fails, nothing. */
export const copy = (from: DatabaseAddress, to: DatabaseAddress): Promise<void> =>
  withDatabase(from, (source) =>
    inSnapshot(source, (snapshot) =>
      withDatabase(
        to,
        (target) => target.run((db) => db.transaction().execute((copied) => copyTables(snapshot, copied, to.kind))),
        'made',
      ),
    ),
  )

async function copyTables(from: Kysely<Tables>, to: Kysely<Tables>, kind: DatabaseAddress['kind']) {
  for (const table of TABLES) {
    if ((await countRows(to, table)) > 0) throw new StartError('That database has rows already: name an empty one.')
  }
  for (const table of TABLES) {
    const total = await countRows(from, table)
    const tell = progress(`Copying ${table}`, total)
    let done = 0
    for await (const page of pages(from, table)) {
      await to.insertInto(table).values(page).execute()
      done += page.length
      tell(done)
    }
    if (kind === 'postgres') {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}`.execute(to)
    }
    const copied = await countRows(to, table)
    if (copied !== total) throw new StartError(`Nothing was copied: ${table} had ${total} rows, the copy ${copied}.`)
    say(`Copied and counted: ${copied} ${table}.`)
  }
}

/** Copies into a new SQLite file, which has its name only when it is whole. */
export async function backup(from: DatabaseAddress, name: string) {
  const file = resolve(name)
  const part = `${file}.${process.pid}.part`
  if (existsSync(file)) throw new StartError(`${file} exists already: name a new file.`)
  removeAtEnd(part, `${part}-wal`, `${part}-shm`)
  await copy(from, { kind: 'sqlite', file: part })
  // Other than renaming, this never takes the place of a file.
  linkSync(part, file)
}

/** Copies a backup, which is only read, into a database without rows. */
export async function restore(name: string, to: DatabaseAddress) {
  if (!existsSync(name)) throw new StartError(`There is no file ${resolve(name)}.`)
  const folder = mkdtempSync(join(tmpdir(), 'restore-'))
  removeAtEnd(folder)
  const file = join(folder, 'backup.db')
  for (const log of ['', '-wal']) if (existsSync(name + log)) copyFileSync(name + log, file + log)
  await copy({ kind: 'sqlite', file }, to)
}
