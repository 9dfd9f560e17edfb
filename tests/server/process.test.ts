import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-folder.ts'

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
})
afterEach(() => sandbox.remove())

test('it tells first that it made a database, where it listens and where the data is, and SIGTERM ends it with 0', async () => {
  const server = await sandbox.start({ DATABASE_URL: 'sqlite:new/folder/leads.db' })
  const { port } = new URL(server.origin)
  const file = join(sandbox.folder, 'new/folder/leads.db')
  expect(server.output()).toBe(
    `Made a new, empty database ${file}\nListening on http://localhost:${port}\nData in ${file}\n`,
  )
  expect(await (await fetch(server.origin)).text()).toContain('<h1>page')
  expect((await post(`${server.origin}/api/subscribe`, subscriptionOf())).status).toBe(200)
  server.signal('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(readdirSync(dirname(file)).toSorted()).toEqual(['leads.db', 'leads.db-journal', 'leads.db-lock'])
  expect(server.output()).toMatch(/"signal":"SIGTERM".+"stopping"\}\n.+"stopped"\}\n$/)
  expect((await sandbox.start({ DATABASE_URL: `sqlite:${file}` })).output()).not.toContain('Made a new')
})

test('what keeps it from starting ends it in one line', async () => {
  mkdirSync(join(sandbox.folder, 'folder'))
  writeFileSync(join(sandbox.folder, 'text.db'), 'no database\n'.repeat(1000))
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const PORT = String((other.address() as AddressInfo).port)
  const starts: [NodeJS.ProcessEnv, RegExp][] = [
    [{ PORT, DATABASE_URL: 'sqlite:one.db' }, /^Port \d+ is in use: stop .+ or set PORT to another port\.\n$/],
    [{ HOST: '192.0.2.1', DATABASE_URL: 'sqlite:two.db' }, /^Can't listen .+PORT to a free port and HOST.+\n$/],
    [{ DATABASE_URL: 'sqlite:folder' }, /^Can't use the database .+ in DATABASE_URL\.\n$/],
    [{ DATABASE_URL: 'sqlite:text.db' }, /^Can't use the database .+ Its file is damaged: restore a backup\.\n$/],
    [{ METRICS_PORT: PORT }, /^Port \d+ is in use: stop .+ or set METRICS_PORT to another port\.\n$/],
  ]
  const ends = await Promise.all(starts.map(([env]) => sandbox.runToEnd(env)))
  expect(readdirSync(sandbox.folder).toSorted()).toEqual(['dist', 'folder', 'text.db'])
  rmSync(join(sandbox.folder, 'dist'), { recursive: true })
  ends.push(await sandbox.runToEnd())
  const lines = [...starts.map(([, line]) => line), /^No built page in .+: run "npm run build"\.\n$/]
  expect(ends).toMatchObject(lines.map((line) => ({ code: 1, stdout: '', stderr: expect.stringMatching(line) })))
})

test('--check tells by its end whether a server would start with these settings, and touches nothing', () => {
  const folder = join(sandbox.folder, 'empty')
  mkdirSync(folder)
  const journal = openSync(join(sandbox.folder, 'journal'), 'w')
  const { dev, ino } = fstatSync(journal)
  const check = (env: NodeJS.ProcessEnv) => {
    const all = { ...process.env, JOURNAL_STREAM: `${dev}:${ino}`, ...env }
    const stdio = ['ignore', journal, journal] as const
    return spawnSync(process.execPath, [resolve('server/main.ts'), '--check'], {
      cwd: folder,
      env: all,
      stdio: [...stdio],
    })
  }
  expect(check({ PORT: '1', DATABASE_URL: 'sqlite:new/leads.db' }).status).toBe(0)
  expect(check({ NOTIFY_FIRST_DELAY: 'x' }).status).toBe(1)
  // As systemd keeps it: with the priority of an error, and nothing of the first.
  expect(readFileSync(join(sandbox.folder, 'journal'), 'utf8')).toMatch(/^<3>NOTIFY_FIRST_DELAY must be .+\n$/)
  expect(readdirSync(folder)).toEqual([])
})

test('who does not read the log holds up neither what writes it nor its end, and little of it is kept', async () => {
  const output = new URL('../../server/observability/standard-output.ts', import.meta.url)
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
