import type { Insertable } from 'kysely'
import { beforeAll, vi } from 'vitest'
import { runCommand } from '../../../server/leads/main.ts'
import { TABLES, type Table, type Tables } from '../../../server/storage/database.ts'
import { anEnquiry, columnsOf } from '../enquiries.ts'
import { type DATABASES, makeDatabase, type TestDatabase } from './databases.ts'

/** Runs `leads` in this process, without mail unless `env` configures it. */
export async function leads(DATABASE_URL: string, args: readonly string[], env: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ NOTIFY_SMTP_URL: '', ...env, DATABASE_URL })) vi.stubEnv(name, value)
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      // Only the file for Excel is written as bytes.
      output[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf16le')
      return true
    }),
  )
  const code = await runCommand(args)
  for (const spy of spies) spy.mockRestore()
  vi.unstubAllEnvs()
  return { code, ...output }
}

/** The standard output of a command that has to succeed. */
export async function read(url: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await leads(url, args)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

type Row<Name extends Table> = Insertable<Tables[Name]>
type Stored = { readonly [Name in Table]?: readonly Row<Name>[] }
const timeOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()

export const subscriber = (email: string, daysAgo = 0): Row<'subscribers'> => ({
  email,
  email_key: email.toLowerCase(),
  created_at: timeOf(daysAgo),
})

export const enquiry = (fields: Partial<Row<'enquiries'>> = {}, daysAgo = 0): Row<'enquiries'> => ({
  ...columnsOf(anEnquiry()),
  idempotency_key: crypto.randomUUID(),
  created_at: timeOf(daysAgo),
  ...fields,
})

/** Makes the tables, if there are none, and puts rows into them. */
export async function store(database: TestDatabase, rows: Stored) {
  const opened = await database.open()
  for (const table of TABLES) {
    const values = rows[table]
    if (values) await opened.run((db) => db.insertInto(table).values(values).execute())
  }
  await opened.close()
}

/** A database with these rows for all tests of a file, or with `beforeEach` a new database for each test. */
export function databaseWith(rows: Stored, hook = beforeAll, kind: (typeof DATABASES)[number] = 'sqlite') {
  const database = {} as TestDatabase
  hook(async () => {
    Object.assign(database, await makeDatabase(kind))
    await store(database, rows)
    return database.remove
  })
  return database
}
