import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Insertable } from 'kysely'
import { vi } from 'vitest'
import { runCommand } from '../../../leads/cli.ts'
import type { Tables } from '../../../server/storage/database.ts'
import type { TestDatabase } from './databases.ts'
import { preload } from './preload.ts'

const NO_CHANNELS = { NOTIFY_SMTP_URL: '', NOTIFY_WEBHOOK_URL: '' }

const MAIN = join(import.meta.dirname, '..', '..', '..', 'leads', 'main.ts')

/** The environment of a command whose pipes pass for a terminal. */
export const ON_A_TERMINAL = preload(
  'for (const stream of [process.stdin, process.stdout, process.stderr]) stream.isTTY = true',
)

/** The environment of a command that gets a signal when it first says how far it is, and adds what is in a folder by then. */
export const signalledHalfway = (signal: NodeJS.Signals, folder: string) =>
  preload(`import { readdirSync } from 'node:fs'
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (line) => {
      process.stderr.write = write
      write(line + 'files: ' + readdirSync(${JSON.stringify(folder)}).join(' ') + '\\n')
      return process.kill(process.pid, '${signal}')
    }`)

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs `leads` in a process of its own: `input` is all that it can read, and standard output may go to an open file. */
export async function leadsProcess(
  url: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  { input = '', output = 'pipe' }: { input?: string; output?: 'pipe' | 'ignore' | number } = {},
): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['pipe', output, 'pipe'],
    env: { ...process.env, ...NO_CHANNELS, ...env, DATABASE_URL: url },
  })
  child.stdin?.end(input)
  const said = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''))
  const [code] = await once(child, 'close')
  const [stdout = '', stderr = ''] = await Promise.all(said)
  return { code, stdout, stderr }
}

/** Runs `leads` in this process; its output may pass for a terminal. */
export async function leads(
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
  isTerminal = false,
): Promise<Ended> {
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
}

/** What it printed, when all went well. */
export async function read(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await leads(url, args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** Runs every command that only reads, on a database with a subscriber 1. */
export async function readAll(url: string) {
  const commands = 'stats, list enquiries, show s1, export subscribers, outbox, purge --older-than 365d --dry-run'
  for (const command of commands.split(', ')) await read(url, ...command.split(' '))
}

type Row<Name extends keyof Tables> = Insertable<Tables[Name]>

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** Rows with these fields, and plain ones in the others; `day` says how many days ago they came. */
export const subscriber = (email: string, day = 0): Row<'subscribers'> => ({
  email,
  email_key: email.toLowerCase(),
  created_at: daysAgo(day),
  request_id: crypto.randomUUID(),
})

export const enquiry = (fields: Partial<Row<'enquiries'>>, day = 0): Row<'enquiries'> => ({
  idempotency_key: crypto.randomUUID(),
  first_name: 'Given',
  last_name: 'Family',
  email: 'visitor@example.com',
  message: 'When will you start?',
  created_at: daysAgo(day),
  ...fields,
})

type Event = Row<'outbox'>

export const event = (kind: Event['kind'], lead_id: number, fields: Partial<Event> = {}): Event => ({
  ...{ event_id: crypto.randomUUID(), channel: 'mail', kind, lead_id, created_at: daysAgo(0), due_at: daysAgo(0) },
  ...{ attempts: 0, state: 'pending', ...fields },
})

type Rows = { readonly [Name in 'subscribers' | 'enquiries' | 'outbox']?: readonly Row<Name>[] }

/** Puts rows into a database, in their order. */
export async function store(database: TestDatabase, rows: Rows) {
  const opened = await database.open()
  for (const table of ['subscribers', 'enquiries', 'outbox'] as const) {
    const all = rows[table] ?? []
    for (let i = 0; i < all.length; i += 1000) {
      const batch = all.slice(i, i + 1000)
      await opened.run((db) => db.insertInto(table).values(batch).execute())
    }
  }
  await opened.close()
}
