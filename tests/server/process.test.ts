import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../support/server/postgres.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
  return sandbox.remove
})

test('a start prints its address, and the path of the database file that it made', async () => {
  const file = join(sandbox.folder, 'new/folder/leads.db')
  const { origin, output } = await sandbox.start({ DATABASE_URL: 'sqlite:new/folder/leads.db' })
  expect(output()).toBe(`Made a new, empty database ${file}\nData in ${file}\nListening on ${origin}\n`)
})

test('a start prints the address of its PostgreSQL without user and password', async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'))
  const { host, pathname } = new URL(DATABASE_URL)
  expect((await sandbox.start({ DATABASE_URL })).output()).toContain(`Data in postgres://${host}${pathname}\n`)
})

const USED_PORT = new URL(inject('postgresUrl')).port

test.each<[NodeJS.ProcessEnv, line: string]>([
  [{ PORT: USED_PORT }, `Can't listen on port ${USED_PORT} .another program uses it.: set PORT .+\\.`],
  [{ HOST: '192.0.2.1' }, "Can't listen on port 0 .+PORT to a free port and HOST .+\\."],
])('a start with %j prints one line and exits with 1', async (env, line) => {
  await expect(sandbox.start(env)).rejects.toThrow(new RegExp(`ended with 1: (Made a new.+\nData in .+\n)?${line}\n$`))
})

test('a start without a built page says how to build it', async () => {
  rmSync(join(sandbox.folder, 'dist'), { recursive: true })
  await expect(sandbox.start()).rejects.toThrow(/ended with 1: No built page in .+: run "npm run build"\.\n$/)
})

test.each([
  [0, {}],
  [1, { KEEP_ENQUIRIES_DAYS: 'x' }],
])('--check starts no server, and exits with %i for %j', (code, settings) => {
  const cwd = mkdtempSync(join(sandbox.folder, 'empty-'))
  const env = { ...process.env, PORT: '1', DATABASE_URL: 'sqlite:new/leads.db', ...settings }
  const check = spawnSync(process.execPath, [resolve('server/main.ts'), '--check'], { cwd, env, encoding: 'utf8' })
  expect([check.status, check.stderr.split('\n').length, readdirSync(cwd)]).toEqual([code, code + 1, []])
})
