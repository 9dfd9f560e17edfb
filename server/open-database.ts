import { type DatabaseAddress, StartError } from './configuration.ts'
import { type Database, SERVER_PATIENCE } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** A file is made on demand. Throws a StartError that says where it is named, if it can't be used. */
export async function openDatabase(
  address: DatabaseAddress,
  patience = SERVER_PATIENCE,
  named = 'DATABASE_URL',
): Promise<Database> {
  if (address.kind === 'postgres') return openPostgres(address.url, patience)
  return openSqlite(address.file, patience).catch((error: Error) => {
    throw new StartError(
      `Can't use the database ${address.file} (${error.message}): name a file that can be written in ${named}.`,
    )
  })
}

/** Never a user or a password. */
export function nameOf(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.file
  const { host, pathname } = new URL(address.url)
  return `postgres://${host}${pathname}`
}
