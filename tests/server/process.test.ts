import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
  return sandbox.remove
})

test('a start prints its addresses, and the path of the database file that it made', async () => {
  const settings = { DATABASE_URL: 'sqlite:new/folder/leads.db', METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' }
  const { origin, output } = await sandbox.start(settings)
  const file = join(sandbox.folder, 'new/folder/leads.db')
  const [made, metrics = '', ...lines] = output().trimEnd().split('\n')
  expect([made, ...lines]).toEqual([`Made a new, empty database ${file}`, `Data in ${file}`, `Listening on ${origin}`])
  const [url = ''] = /http:\/\/127\.0\.0\.2:.+/.exec(metrics) ?? []
  expect(await (await fetch(url)).text()).toContain('leads_database_up 1')
})

test.each([
  [{}, /ended with 0: $/],
  [{ KEEP_ENQUIRIES_DAYS: 'x' }, /ended with 1: KEEP_ENQUIRIES_DAYS must be .+\n$/],
])('--check with %j starts no server and makes no file', async (settings, output) => {
  await expect(sandbox.start(settings, '--check')).rejects.toThrow(output)
  expect(readdirSync(sandbox.folder)).toEqual(['dist'])
})
