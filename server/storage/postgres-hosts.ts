import { Socket } from 'node:net'
import { Client } from 'pg'
import { UnusableDatabase } from './database.ts'
import { databaseFault } from './database-fault.ts'

export type Hosts = {
  /** What the driver takes: a URL for each host, in the order to try them in. */
  readonly urls: readonly [string, ...string[]]
  /** Whether one that can't be written is passed over. */
  readonly mustWrite: boolean
}

/** Scheme and user, hosts, and the rest. A password may hold a comma, and an @ as the driver reads it. */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/su

/**
 * Reads libpq's form for several hosts, `postgres://user@db1:5432,db2/leads?target_session_attrs=read-write`. Of several
 * the server can use none but the one that accepts writes, said or not. Null if it can't be followed to the letter.
 */
export function readHosts(url: string): Hosts | null {
  const [, before, list, after] = PARTS.exec(url) ?? []
  if (list === undefined) return null
  const [first = '', ...others] = list.split(',').map((host) => `${before}${host}${after}`)
  const several = others.length > 0
  const attributes = URL.parse(first)?.searchParams.get('target_session_attrs')
  const mustWrite = attributes === 'read-write' || attributes === 'primary'
  if (attributes && !mustWrite && (several || attributes !== 'any')) return null
  return [first, ...others].every((each) => namesPlace(URL.parse(each), several))
    ? { urls: [first, ...others], mustWrite: mustWrite || several }
    : null
}

/** Whether a URL says host, or the folder of a socket, and name: the driver would make some up. */
function namesPlace(url: URL | null, several: boolean): boolean {
  if (url === null || url.pathname.length < 2) return false
  const given = [url.searchParams.get('host'), url.searchParams.get('port')]
  // The driver takes these before what stands at its place in the URL, and knows no lists.
  if (given.some((each) => each?.includes(',') || (several && each !== null))) return false
  return url.host !== '' || Boolean(given[0])
}

/** The URLs' host and port, or the socket's folder. */
export function hostOf(url: string): string {
  const { host, searchParams } = new URL(url)
  return host || (searchParams.get('host') ?? '')
}

/** The first of the URLs whose host accepts writes; each gets as many milliseconds to show it. */
export async function findWritable(urls: readonly string[], ms: number): Promise<string> {
  const faults: string[] = []
  for (const url of urls) {
    try {
      if (await acceptsWrites(url, ms)) return url
      faults.push(`${hostOf(url)}: It is read-only, perhaps a standby.`)
    } catch (error) {
      faults.push(`${hostOf(url)}: ${databaseFault(error)}`)
    }
  }
  throw new UnusableDatabase(`No host of DATABASE_URL accepts writes. ${faults.join(' ')}`)
}

async function acceptsWrites(url: string, ms: number): Promise<boolean> {
  const socket = new Socket()
  const late = setTimeout(() => socket.destroy(new Error('timeout')), ms)
  try {
    const client = new Client({ connectionString: url, application_name: 'launching-soon', stream: () => socket })
    // What becomes of the connection is told by the promises below.
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off'
  } finally {
    clearTimeout(late)
    // Without a word: a host that says nothing would not answer it either.
    socket.destroy()
  }
}
