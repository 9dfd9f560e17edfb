import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Insertable, sql } from 'kysely'
import { vi } from 'vitest'
import { runCommand } from '../../../leads/cli.ts'
import type { Tables } from '../../../server/storage/database.ts'
import { serialize } from '../../../server/storage/serialize.ts'
import type { TestDatabase } from './databases.ts'

const NO_CHANNELS = { NOTIFY_SMTP_URL: '', NOTIFY_WEBHOOK_URL: '' }

const MAIN = join(import.meta.dirname, '..', '..', '..', 'leads', 'main.ts')

const SEEN = 'for (const stream of [process.stdin, process.stdout, process.stderr]) stream.isTTY = true'

/** The environment of a command whose pipes pass for a terminal. */
export const ON_A_TERMINAL = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SEEN)}` }

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/**
 * Runs `leads` in a process of its own: each entry of `env` is set, `input` is all that it can read, or null if more will
 * come, and standard output goes to a pipe or to an open file.
 */
export function startLeads(
  url: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input: string | null = '',
  output: 'pipe' | number = 'pipe',
) {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['pipe', output, 'pipe'],
    env: { ...process.env, ...NO_CHANNELS, ...env, DATABASE_URL: url },
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk) => {
      said[name] += chunk
    })
  }
  if (input !== null) child.stdin?.end(input)
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, said, ended }
}

export const leadsProcess = (...args: Parameters<typeof startLeads>): Promise<Ended> => startLeads(...args).ended

const inSequence = serialize()

/** Runs `leads` in this process, one call after the other; its output may pass for a terminal. */
export const leads = (
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
  isTerminal = false,
): Promise<Ended> =>
  inSequence(async () => {
    const { isTTY } = process.stdout
    process.stdout.isTTY = isTerminal
    const said = { stdout: '', stderr: '' }
    for (const [name, value] of Object.entries({ ...NO_CHANNELS, ...env, DATABASE_URL: url })) vi.stubEnv(name, value)
    const spies = (['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
        said[name] += chunk
        return true
      }),
    )
    const before = process.listeners('exit')
    const code = await runCommand(args)
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
    process.stdout.isTTY = isTTY
    for (const onExit of process.listeners('exit').filter((listener) => !before.includes(listener))) {
      process.off('exit', onExit)
      onExit(code)
    }
    return { code, ...said }
  })

/** What it printed, when all went well. */
export async function read(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await leads(url, args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** Commands that only read, for a database with a subscriber 1. */
export const READING_COMMANDS: readonly string[][] = [
  ['stats'],
  ['list', 'enquiries'],
  ['show', 's1'],
  ['export', 'subscribers'],
  ['outbox'],
  ['purge', '--older-than', '365d', '--dry-run'],
]

/** Rows with these fields, and plain ones in the others; `day` says how many days ago they came. */
export const subscriber = (email: string, day = 0): Insertable<Tables['subscribers']> => ({
  email,
  email_key: email.toLowerCase(),
  created_at: daysAgo(day),
})

export const enquiry = (
  fields: Partial<Insertable<Tables['enquiries']>>,
  day = 0,
): Insertable<Tables['enquiries']> => ({
  idempotency_key: crypto.randomUUID(),
  first_name: 'Given',
  last_name: 'Family',
  email: 'visitor@example.com',
  message: 'When will you start?',
  created_at: daysAgo(day),
  ...fields,
})

export const event = (
  kind: 'subscription' | 'enquiry',
  lead_id: number,
  fields: Partial<Insertable<Tables['outbox']>> = {},
): Insertable<Tables['outbox']> => ({
  event_id: crypto.randomUUID(),
  channel: 'mail',
  kind,
  lead_id,
  created_at: daysAgo(0),
  due_at: daysAgo(0),
  attempts: 0,
  state: 'pending',
  ...fields,
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

type Rows = { readonly [Name in 'subscribers' | 'enquiries' | 'outbox']?: readonly Insertable<Tables[Name]>[] }

/** Puts rows into a database, in their order. */
export async function store(database: TestDatabase, { subscribers = [], enquiries = [], outbox = [] }: Rows) {
  const opened = await database.open()
  await opened.run(async (db) => {
    if (subscribers.length > 0) await db.insertInto('subscribers').values(subscribers).execute()
    if (enquiries.length > 0) await db.insertInto('enquiries').values(enquiries).execute()
    if (outbox.length > 0) await db.insertInto('outbox').values(outbox).execute()
  })
  await opened.close()
}

/** Puts as many enquiries into a database, a few hundred bytes each; the last fifth came in February of 2026. */
export async function storeMany(database: TestDatabase, count: number) {
  const opened = await database.open()
  // In steps that a busy machine takes within the patience of a server.
  const step = 50_000
  for (let from = 0; from < count; from += step) {
    await opened.run((db) =>
      sql`with recursive numbers(i) as
          (select ${sql.lit(from + 1)} union all select i + 1 from numbers where i < ${sql.lit(Math.min(from + step, count))})
        insert into enquiries (idempotency_key, first_name, last_name, email, message, created_at)
        select 'key' || i, 'Given', 'Family', 'visitor' || i || '@example.com',
          ${sql.lit('When will you start? '.repeat(10))} || i,
          case when i > ${sql.lit(count * 0.8)} then '2026-02-01T00:00:00.000Z' else '2026-01-01T00:00:00.000Z' end
        from numbers`.execute(db),
    )
  }
  await opened.close()
}
