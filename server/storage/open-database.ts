import { type DatabaseAddress, StartError } from '../configuration.ts'
import type { ServedDatabase } from './database.ts'
import { servePostgres } from './postgres.ts'
import { hostOf } from './postgres-hosts.ts'
import { serveSqlite } from './sqlite.ts'

/** For a server: its tables are brought up to date, and a file is made on demand. Throws a StartError if it can't be used. */
export const openDatabase = (address: DatabaseAddress): Promise<ServedDatabase> =>
  address.kind === 'postgres'
    ? servePostgres(address.hosts)
    : serveSqlite(address.file).catch(failFor(address.file, 'DATABASE_URL'))

/** Throws why a file that may be made can't be used, and what to do where it is named. */
export const failFor = (file: string, named: string) => (error: unknown) => {
  if (error instanceof StartError) throw error
  const reason = error instanceof Error ? error.message : error
  throw new StartError(`Can't use the database ${file} (${reason}): name a file that can be written in ${named}.`)
}

/** Never a user or a password. */
export function nameOf(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.file
  const { urls } = address.hosts
  return `postgres://${urls.map(hostOf).join()}${new URL(urls[0]).pathname}`
}
