import { existsSync } from 'node:fs'
import type { Database, Db } from '../storage/database.ts'
import { type DatabaseAddress, redactedUrl } from '../storage/database-url.ts'
import { MIGRATIONS, schemaVersion } from '../storage/migrations.ts'
import { openPostgres, PATIENT } from '../storage/postgres.ts'
import { openSqlite } from '../storage/sqlite.ts'
import { UserError } from '../user-error.ts'

/**
 * Opens the database while servers may use it. Creates and migrates nothing. Work that only reads needs no permission
 * to write. A missing permission is an error before any question to the user.
 */
export async function withLeads<Answer>(
  address: DatabaseAddress,
  access: 'read' | 'write',
  work: (db: Db) => Promise<Answer>,
): Promise<Answer> {
  const database = open(address)
  const answer = database.run(async (db) => {
    if ((await schemaVersion(db)) < MIGRATIONS.length) {
      throw new UserError(
        `${redactedUrl(address)} lacks tables of this release: set DATABASE_URL to that of the server, and start the server, which makes them.`,
      )
    }
    if (access === 'write') await db.deleteFrom('subscribers').where('id', '=', -1).execute()
    return work(db)
  })
  return answer.finally(() => database.close())
}

function open(address: DatabaseAddress): Database {
  if (address.kind === 'postgres') return openPostgres(address.url, PATIENT)
  if (existsSync(address.file)) return openSqlite(address.file)
  throw new UserError(`There is no database ${address.file}: set DATABASE_URL to that of the server.`)
}
