import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Insertable } from 'kysely'
import { beforeAll, vi } from 'vitest'
import { runCommand } from '../../../server/leads/main.ts'
import type { Table } from '../../../server/leads/rows.ts'
import type { Tables } from '../../../server/storage/database.ts'
import { anEnquiry, columnsOf } from '../enquiries.ts'
import { type DATABASES, makeDatabase, type TestDatabase } from './databases.ts'

/** Overrides settings that the machine may have. */
const NO_CHANNELS = { NOTIFY_SMTP_URL: '', NOTIFY_WEBHOOK_URL: '', NOTIFY_WEBHOOK_SECRET: '' }

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs `leads` in a process of its own, without a terminal; `user` is a program that takes rights away first. */
export async function leadsProcess(
  url: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  user: readonly string[] = [],
): Promise<Ended> {
  const [program = '', ...words] = [...user, process.execPath, 'server/leads/main.ts', ...args]
  const child = spawn(program, words, { env: { ...process.env, ...env, DATABASE_URL: url } })
  child.stdin.end()
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

/** Runs `leads` in this process, as on a terminal where `typed` is typed. */
export async function leads(
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
  typed?: string,
): Promise<Ended> {
  for (const [name, value] of Object.entries({ ...NO_CHANNELS, ...env, DATABASE_URL: url })) vi.stubEnv(name, value)
  const { isTTY } = process.stderr
  process.stderr.isTTY = true
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      said[name] += chunk
      return true
    }),
  )
  const keyboard = Object.assign(Readable.from([typed ?? '']), { isTTY: typed !== undefined, fd: 0 as const })
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(keyboard as unknown as NodeJS.ReadStream & { fd: 0 })
  const code = await runCommand(args)
  for (const spy of [...spies, stdin]) spy.mockRestore()
  process.stderr.isTTY = isTTY
  vi.unstubAllEnvs()
  return { code, ...said }
}

/** What it printed, when all went well. */
export async function read(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await leads(url, args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

type Row<Name extends Table> = Insertable<Tables[Name]>

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** Rows with these fields, and plain ones in the others; `day` says how many days ago they came. */
export const subscriber = (email: string, day = 0): Row<'subscribers'> => ({
  email,
  email_key: email.toLowerCase(),
  created_at: daysAgo(day),
})

export const enquiry = (fields: Partial<Row<'enquiries'>>, day = 0): Row<'enquiries'> => ({
  ...columnsOf(anEnquiry()),
  idempotency_key: crypto.randomUUID(),
  created_at: daysAgo(day),
  ...fields,
})

type Event = Row<'outbox'>

export const event = (kind: Event['kind'], lead_id: number, fields: Partial<Event> = {}): Event => ({
  ...{ event_id: crypto.randomUUID(), channel: 'mail', kind, lead_id, created_at: daysAgo(0), due_at: daysAgo(0) },
  ...{ attempts: 0, state: 'pending', ...fields },
})

type Stored = { readonly [Name in Table]?: readonly Row<Name>[] }

/** Puts rows into a database, in their order. */
export async function store(database: TestDatabase, rows: Stored) {
  const opened = await database.open()
  for (const table of ['subscribers', 'enquiries', 'outbox'] as const) {
    const left = [...(rows[table] ?? [])]
    while (left.length > 0) await opened.run((db) => db.insertInto(table).values(left.splice(0, 1000)).execute())
  }
  await opened.close()
}

/** A database with these rows for all tests of a file, or a new one for each by `beforeEach`. */
export function databaseWith(
  rows: Stored,
  hook = beforeAll,
  kind: (typeof DATABASES)[number] = 'sqlite',
): TestDatabase {
  const database = {} as TestDatabase
  hook(async () => {
    Object.assign(database, await makeDatabase(kind))
    await store(database, rows)
    return database.remove
  })
  return database
}
