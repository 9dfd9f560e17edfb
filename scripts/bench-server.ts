// Durable subscriptions at 50 connections, in groups and one by one, beside a server that only remembers them. All take
// turns within one run: on a machine that has other work too, the ratios tell more than the figures.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createDatabase, startPostgres } from '../tests/support/postgres.ts'

const ROUNDS = Number(process.env.ROUNDS || 5)
const SECONDS = 3
const NEW = '{"success":true,"email_exists":false}'

type Round = { readonly perSecond: number; readonly p50: number; readonly p99: number }
type Variant = {
  readonly name: string
  readonly origin: string
  readonly rounds: Round[]
  /** The same database, one row a transaction. */
  readonly single?: Variant
}

let addresses = 0
const children: ChildProcess[] = []
// Files that live in memory would make every sync cheap: TMPDIR names a folder on the disk.
const folder = mkdtempSync(join(tmpdir(), 'bench-server-'))
const postgres = await startPostgres()
try {
  const memory = await startVariant('in memory', 'memory')
  const sqlite = await startBoth('SQLite', (way) => `sqlite:${join(folder, `${way}.db`)}`)
  const postgresql = await startBoth('PostgreSQL', () => createDatabase(postgres.url))
  const variants = [memory, ...sqlite, ...postgresql]
  for (const variant of variants) {
    console.log(`warming up: ${variant.name}`)
    await measure(variant)
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const variant of variants) {
      const figures = await measure(variant)
      variant.rounds.push(figures)
      console.log(`round ${round} of ${ROUNDS}: ${variant.name} ${Math.round(figures.perSecond)}/s`)
    }
  }
  console.log(`Medians of ${ROUNDS} rounds; p50 and p99 in ms; ratios of throughput, each taken within a round:`)
  console.table(Object.fromEntries(variants.map((variant) => [variant.name, row(variant, memory)])))
} finally {
  await Promise.all(children.filter(({ connected }) => connected).map(letGo))
  await postgres.remove()
  rmSync(folder, { recursive: true })
}

async function startBoth(database: string, urlFor: (way: string) => string | Promise<string>): Promise<Variant[]> {
  const single = await startVariant(`${database}, one by one`, 'single', await urlFor('single'))
  const grouped = await startVariant(`${database}, in groups`, 'grouped', await urlFor('grouped'))
  return [{ ...grouped, single }, single]
}

/** In a process of its own, so that the calls don't take its processor. */
async function startVariant(name: string, way: string, databaseUrl = ''): Promise<Variant> {
  const child = fork(join(import.meta.dirname, 'benched-server.ts'), [folder, way, databaseUrl])
  children.push(child)
  const [origin] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (!child.connected) throw new Error(`${name}: the server did not start.`)
  return { name, origin: String(origin), rounds: [] }
}

async function letGo(child: ChildProcess) {
  child.disconnect()
  await once(child, 'exit')
}

/** Every call subscribes a new address, and anything but a success for a new address is a failure. */
async function measure({ name, origin }: Variant): Promise<Round> {
  const result = await autocannon({
    url: `${origin}/api/subscribe`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    connections: 50,
    duration: SECONDS,
    requests: [{ setupRequest: (request) => ({ ...request, body: `{"email":"visitor${++addresses}@example.com"}` }) }],
    verifyBody: (body) => String(body) === NEW,
  })
  const { non2xx, errors, mismatches, latency } = result
  if (non2xx + errors + mismatches > 0 || result['2xx'] === 0) {
    throw new Error(`${name}: ${result['2xx']} good answers, ${non2xx} refused, ${errors} broken, ${mismatches} others`)
  }
  return { perSecond: result['2xx'] / result.duration, p50: latency.p50, p99: latency.p99 }
}

function row({ rounds, single }: Variant, memory: Variant) {
  const ratio = (other: Variant) =>
    median(rounds.map(({ perSecond }, i) => perSecond / (other.rounds[i]?.perSecond ?? Number.NaN))).toFixed(2)
  return {
    'per second': Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    'of in memory': ratio(memory),
    ...(single && { 'of one by one': ratio(single) }),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
