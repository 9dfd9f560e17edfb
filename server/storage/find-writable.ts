import { Socket } from 'node:net'
import { Client } from 'pg'
import { UnusableDatabase } from './database.ts'
import { describeDatabaseError } from './database-errors.ts'
import { hostOf } from './postgres-hosts.ts'

/** The first of the URLs whose host accepts writes; each host has `timeoutMs` to answer. */
export async function findWritable(urls: readonly string[], timeoutMs: number): Promise<string> {
  const reasons: string[] = []
  for (const url of urls) {
    try {
      if (await acceptsWrites(url, timeoutMs)) return url
      reasons.push(`${hostOf(url)}: It is read-only, perhaps a standby.`)
    } catch (error) {
      reasons.push(`${hostOf(url)}: ${describeDatabaseError(error)}`)
    }
  }
  throw new UnusableDatabase(`No host of DATABASE_URL accepts writes. ${reasons.join(' ')}`)
}

async function acceptsWrites(url: string, timeoutMs: number): Promise<boolean> {
  const socket = new Socket()
  const timer = setTimeout(() => socket.destroy(new Error('timeout')), timeoutMs)
  try {
    const client = new Client({ connectionString: url, application_name: 'launching-soon', stream: () => socket })
    // The promises below report every failure.
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'off'
  } finally {
    clearTimeout(timer)
    // Without a farewell, which a host that hangs would not answer.
    socket.destroy()
  }
}
