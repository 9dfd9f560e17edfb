// Measures durable subscriptions over 50 connections on each database, and a bare node:http handler as the limit. They
// take turns in each round, so that the shares hold on a busy machine too. ROUNDS is the number of rounds, 5 by default.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import { startPostgres } from '../scripts/postgres.ts'

const ROUNDS = Number(process.env.ROUNDS || 5)

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

let addresses = 0
const children: ChildProcess[] = []
// On a tmpfs every sync is free: set TMPDIR to a folder on a disk.
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const postgres = await startPostgres()
try {
  const servers = [
    await start('bare node:http', 'tools/bench/bare.ts'),
    await start('SQLite', 'server/main.ts', `sqlite:${join(folder, 'leads.db')}`),
    await start('PostgreSQL', 'server/main.ts', postgres.url),
  ]
  for (const { origin } of servers) await measure(origin)
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { name, origin, rates, shares } of servers) {
      const rate = await measure(origin)
      rates.push(rate)
      shares.push(rate / (servers[0]?.rates.at(-1) ?? 0))
      console.log(`round ${round} of ${ROUNDS}: ${name} ${Math.round(rate)}/s`)
    }
  }
  console.log('Medians, and medians of the share of the bare handler:')
  for (const { name, rates, shares } of servers)
    console.log(`${name}: ${Math.round(median(rates))}/s, ${median(shares).toFixed(2)}`)
} finally {
  for (const child of children) child.kill()
  await postgres.remove()
  rmSync(folder, { recursive: true })
}

/** Starts a server in its own process, so that the load generator does not share its event loop. */
async function start(name: string, file: string, databaseUrl = '') {
  const env = { ...process.env, NODE_ENV: 'production', PORT: '0', RATE_LIMIT: 'off', DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.startsWith('Listening on ') && resolve(line.slice(13)))
    child.on('exit', () => reject(new Error(`${name} ended.`)))
  })
  return { name, origin, rates: [] as number[], shares: [] as number[] }
}

/** Subscribes new addresses for three seconds, and returns how many a second. Any other answer ends the benchmark. */
async function measure(origin: string): Promise<number> {
  const { duration, non2xx, errors, mismatches, ...others } = await autocannon({
    url: `${origin}/api/subscribe`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    duration: 3,
    connections: 50,
    requests: [{ setupRequest: (call) => ({ ...call, body: `{"email":"visitor${++addresses}@example.com"}` }) }],
    verifyBody: (body) => String(body) === '{"success":true,"email_exists":false}',
  })
  if (non2xx + errors + mismatches > 0) throw new Error(JSON.stringify({ origin, non2xx, errors, mismatches }))
  return others['2xx'] / duration
}
