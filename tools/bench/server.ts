// Measures durable subscriptions over 50 connections. The variants of a profile take turns in each round, so that the
// ratios hold on a busy machine too. ROUNDS is the number of rounds, 5 by default.
//   --profile stores    on each database, compared with a bare node:http handler (default)
//   --profile servers   1, 2 and 4 servers on one PostgreSQL, without and with a synchronous standby
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { createDatabase, query, replaceStandby, startPostgres } from '../scripts/postgres.ts'

const ROUNDS = Number(process.env.ROUNDS || 5)
const SECONDS = 3
const NEW_ADDRESS = '{"success":true,"email_exists":false}'

type Round = { readonly perSecond: number; readonly p50: number; readonly p99: number }
type Variant = {
  readonly name: string
  /** The origins of the servers that share the calls. */
  readonly origins: readonly string[]
  readonly rounds: Round[]
  /** The variants that this one is compared with, by the name of the ratio. */
  readonly ratios: Readonly<Record<string, Variant>>
  /** Runs before each round. */
  readonly prepare?: () => Promise<unknown>
}

let addresses = 0
const children: ChildProcess[] = []
// On a tmpfs every sync is free: set TMPDIR to a folder on a disk.
const folder = mkdtempSync(join(tmpdir(), 'bench-server-'))
const postgres = await startPostgres()
const PROFILES: Readonly<Record<string, () => Promise<Variant[]>>> = { stores: startStores, servers: startServers }
const { profile } = parseArgs({ options: { profile: { type: 'string', default: 'stores' } } }).values
/** Stops the databases that a profile has started. */
const cleanups: (() => Promise<void>)[] = [postgres.remove]
try {
  await measureInRounds(await (PROFILES[profile] ?? failFor(profile))())
} finally {
  await Promise.all(children.filter(({ connected }) => connected).map(stop))
  for (const cleanUp of cleanups.reverse()) await cleanUp()
  rmSync(folder, { recursive: true })
}

function failFor(profile: string): never {
  throw new Error(`There is no profile ${profile}. There are: stores, servers.`)
}

async function measureInRounds(variants: readonly Variant[]) {
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
  console.log(`Medians of ${ROUNDS} rounds; p50 and p99 in ms; throughput ratios within a round:`)
  console.table(Object.fromEntries(variants.map((variant) => [variant.name, row(variant)])))
}

async function startStores(): Promise<Variant[]> {
  const bare = { name: 'bare node:http', origins: [await startServer('bare')], rounds: [], ratios: {} }
  const ofBare = { 'of bare': bare }
  const memory = { name: 'in memory', origins: [await startServer('memory')], rounds: [], ratios: ofBare }
  const store = async (name: string, databaseUrl: string): Promise<Variant> => ({
    name,
    origins: [await startServer('stored', databaseUrl)],
    rounds: [],
    ratios: ofBare,
  })
  return [
    bare,
    memory,
    await store('SQLite', `sqlite:${join(folder, 'leads.db')}`),
    await store('PostgreSQL', await createDatabase(postgres.url)),
  ]
}

/** Starts servers, and a standby that always streams. The variants differ in whether commits wait for it. */
async function startServers(): Promise<Variant[]> {
  const standby = await startPostgres()
  cleanups.push(standby.remove)
  await replaceStandby(postgres, standby)
  const url = await createDatabase(postgres.url)
  const origins: string[] = []
  for (let i = 0; i < 4; i++) origins.push(await startServer('stored', url))
  const waitFor = (names: string) => async () => {
    await query(postgres.url, `alter system set synchronous_standby_names = '${names}'`)
    await query(postgres.url, 'select pg_reload_conf()')
  }
  return [
    ['without a synchronous standby', waitFor('')] as const,
    ['with a synchronous standby', waitFor('*')] as const,
  ].flatMap(([name, prepare]) => {
    const variant = (count: number, ratios: Variant['ratios']) => ({
      name: `${count} ${count === 1 ? 'server' : 'servers'}, ${name}`,
      origins: origins.slice(0, count),
      rounds: [],
      ratios,
      prepare,
    })
    const oneServer = variant(1, {})
    return [oneServer, ...[2, 4].map((count) => variant(count, { 'of one server': oneServer }))]
  })
}

/** Starts a server in its own process, so that the load generator does not share its event loop. Returns its origin. */
async function startServer(kind: string, databaseUrl = ''): Promise<string> {
  const child = fork(join(import.meta.dirname, 'server-worker.ts'), [folder, kind, databaseUrl])
  children.push(child)
  const [origin] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (!child.connected) throw new Error(`${kind}: the server did not start.`)
  return String(origin)
}

async function stop(child: ChildProcess) {
  child.disconnect()
  await once(child, 'exit')
}

/**
 * Measures one round. Every call subscribes a new address; any answer but success for a new address fails the round.
 */
async function measure({ name, origins, prepare }: Variant): Promise<Round> {
  await prepare?.()
  const rounds = await Promise.all(origins.map((origin) => call(name, origin, Math.round(50 / origins.length))))
  return {
    perSecond: rounds.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p50: Math.max(...rounds.map(({ p50 }) => p50)),
    p99: Math.max(...rounds.map(({ p99 }) => p99)),
  }
}

async function call(name: string, origin: string, connections: number): Promise<Round> {
  const result = await autocannon({
    url: `${origin}/api/subscribe`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    connections,
    duration: SECONDS,
    requests: [{ setupRequest: (request) => ({ ...request, body: `{"email":"visitor${++addresses}@example.com"}` }) }],
    verifyBody: (body) => String(body) === NEW_ADDRESS,
  })
  const { non2xx, errors, mismatches, latency } = result
  if (non2xx + errors + mismatches > 0 || result['2xx'] === 0) {
    throw new Error(
      `${name}: ${result['2xx']} successes, ${non2xx} other statuses, ${errors} connection errors, ${mismatches} other bodies`,
    )
  }
  return { perSecond: result['2xx'] / result.duration, p50: latency.p50, p99: latency.p99 }
}

function row({ rounds, ratios }: Variant) {
  const ratio = (other: Variant) =>
    median(rounds.map(({ perSecond }, i) => perSecond / (other.rounds[i]?.perSecond ?? Number.NaN))).toFixed(2)
  return {
    'per second': Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    ...Object.fromEntries(Object.entries(ratios).map(([name, other]) => [name, ratio(other)])),
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
