import { resolve } from 'node:path'
import { UserError } from '../user-error.ts'
import { type Hosts, hostOf, readHosts } from './postgres-hosts.ts'

export type DatabaseAddress =
  | { readonly kind: 'sqlite' /** Absolute. */; readonly file: string }
  | { readonly kind: 'postgres' /** May hold a password. */; readonly hosts: Hosts }

// `sqlite://name` is refused: elsewhere it means a relative path, read to the letter it is an absolute one.
const SQLITE_URL = /^sqlite:(?!\/\/[^/])(.+)$/su

// Other programs read these as more than a path; here they would silently become part of a file's name.
const NOT_A_PATH = /^\s|\s$|[?\p{Cc}]|:memory:/u

/** Where the leads are stored. Throws a UserError. */
export const readDatabaseUrl = (env: NodeJS.ProcessEnv): DatabaseAddress =>
  parseDatabaseUrl('DATABASE_URL', env.DATABASE_URL || 'sqlite:data/leads.db')

/** Reads the value of the variable or option `settingName`. Throws a UserError. */
export function parseDatabaseUrl(settingName: string, url: string): DatabaseAddress {
  const path = SQLITE_URL.exec(url)?.[1]
  if (path !== undefined && !NOT_A_PATH.test(path)) return { kind: 'sqlite', file: resolve(path) }
  const hosts = readHosts(url)
  if (hosts) return { kind: 'postgres', hosts }
  // The value is not repeated: a database URL may hold a password.
  throw new UserError(
    `${settingName} must be sqlite: and the path of a file, without ?, :memory: or surrounding white space, for example sqlite:data/leads.db or sqlite:/var/lib/leads/leads.db, or the URL of a PostgreSQL database, for example postgres://user@db.example.com/leads, or with several hosts, postgres://user@db1.example.com,db2.example.com/leads?target_session_attrs=read-write.`,
  )
}

/** For people and logs: never a user or a password. */
export function redactedUrl(address: DatabaseAddress): string {
  if (address.kind === 'sqlite') return address.file
  const { urls } = address.hosts
  return `postgres://${urls.map(hostOf).join()}${new URL(urls[0]).pathname}`
}
