import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { readTable } from '../support/server/databases.ts'
import { CLOSED_PORT } from '../support/server/free-port.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
})
afterEach(() => sandbox.remove())

test('a start tells that it made a database, where it listens, and where the data is', async () => {
  const server = await sandbox.start({ DATABASE_URL: 'sqlite:new/folder/leads.db' })
  const { port } = new URL(server.origin)
  const file = join(sandbox.folder, 'new/folder/leads.db')
  expect(server.output()).toBe(
    `Made a new, empty database ${file}\nListening on http://localhost:${port}\nData in ${file}\n`,
  )
  expect((await sandbox.start({ DATABASE_URL: `sqlite:${file}` })).output()).not.toContain('Made a new')
})

test('it serves the page and stores leads', async () => {
  const { origin } = await sandbox.start()
  expect(await (await fetch(origin)).text()).toContain('<h1>page')
  expect((await post(`${origin}/api/subscribe`, subscriptionOf())).status).toBe(200)
  expect(readTable(sandbox.databaseFile, 'subscribers')).toHaveLength(1)
})

test('SIGTERM ends it with 0, and says so', async () => {
  const server = await sandbox.start()
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(server.output()).toMatch(/"signal":"SIGTERM".+"stopping"\}\n.+"stopped"\}\n$/)
})

test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['a port in use', { PORT: 'IN_USE' }, /^Port \d+ is in use: stop .+ or set PORT to another port\.\n$/],
  ['a metrics port in use', { METRICS_PORT: 'IN_USE' }, /^Port \d+ is in use: .+ METRICS_PORT to another port\.\n$/],
  ['an address of another machine', { HOST: '192.0.2.1' }, /^Can't listen .+PORT to a free port and HOST.+\n$/],
  ['a folder as database', { DATABASE_URL: 'sqlite:folder' }, /^Can't use the database .+ in DATABASE_URL\.\n$/],
  ['a damaged file', { DATABASE_URL: 'sqlite:text.db' }, /^Can't use .+ Its file is damaged: restore a backup\.\n$/],
  [
    'an absent PostgreSQL',
    { DATABASE_URL: `postgres://user:secret@127.0.0.1:${CLOSED_PORT}/leads` },
    /^Can't use the database postgres:\/\/127\.0\.0\.1:\d+\/leads\. Nothing listens at .+\n$/,
  ],
  ['a wrong setting', { NOTIFY_FIRST_DELAY: 'x' }, /^NOTIFY_FIRST_DELAY must be .+\n$/],
  ['a wrong settings file', { SETTINGS_FILE: 'none.env' }, /^Can't read the settings file none\.env: .+\n$/],
])('%s ends a start in one line', async (_, env, line) => {
  mkdirSync(join(sandbox.folder, 'folder'))
  writeFileSync(join(sandbox.folder, 'text.db'), 'no database\n'.repeat(1000))
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const settings = Object.entries(env).map(([name, value]) => [name, value === 'IN_USE' ? port : value])
  const { code, stderr } = await sandbox.runToEnd(Object.fromEntries(settings))
  expect([code, stderr]).toEqual([1, expect.stringMatching(line)])
})

test('a start without a built page says how to build it', async () => {
  rmSync(join(sandbox.folder, 'dist'), { recursive: true })
  const stderr = expect.stringMatching(/^No built page in .+: run "npm run build"\.\n$/)
  expect(await sandbox.runToEnd()).toMatchObject({ code: 1, stdout: '', stderr })
})

test.each([
  [0, 'the settings are right', {}],
  [1, 'a setting is wrong', { NOTIFY_FIRST_DELAY: 'x' }],
  [1, 'a name is misspelt', { NOTIFI_SMTP_URL: 'x', SETTINGS_FILE: 'misspelt.env' }],
])('--check ends with %i if %s, and makes nothing', (code, _, env) => {
  const folder = join(sandbox.folder, 'empty')
  mkdirSync(folder)
  writeFileSync(join(folder, 'misspelt.env'), 'NOTIFI_SMTP_URL=x\n')
  const { status, stderr } = spawnSync(process.execPath, [resolve('server/main.ts'), '--check'], {
    cwd: folder,
    env: { ...process.env, PORT: '1', DATABASE_URL: 'sqlite:new/leads.db', ...env },
    encoding: 'utf8',
  })
  expect([status, stderr.split('\n').length]).toEqual([code, code + 1])
  expect(readdirSync(folder)).toEqual(['misspelt.env'])
})

test('a reader who stalls holds up neither the server nor its end', async () => {
  const output = new URL('../../server/observability/log.ts', import.meta.url)
  const program = `import { openStandardOutput } from '${output}'
    const output = openStandardOutput()
    for (let i = 0; i < 100_000; i++) output.write('more than a pipe takes, and than is kept in memory\\n')
    console.error(process.stdout.writableLength)
    await output.flush()
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const [kept, ended] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(ended).toEqual([0, null])
  expect(Number(kept)).toBeLessThan(1_000_100)
})
