import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServerProcess } from '../../scripts/server-process.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { UserError } from '../../server/user-error.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'

let sandbox: ServerFolder
beforeEach(() => {
  sandbox = makeServerFolder()
})
afterEach(() => sandbox.remove())

const subscribe = (origin: string, email: string) => post(`${origin}/api/subscribe`, { email })

describe('starting', () => {
  test('tells first where it listens and where the data is', async () => {
    const server = await sandbox.start()
    const { port } = new URL(server.origin)
    expect(server.output()).toBe(`Listening on http://localhost:${port}\nData in ${sandbox.databaseFile}\n`)
    expect(await (await fetch(server.origin)).text()).toContain('<h1>page')
    expect((await subscribe(server.origin, 'visitor@example.com')).status).toBe(200)
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
  })

  test('nobody else on the machine may read the data', async () => {
    const server = await sandbox.start({ DATABASE_URL: 'sqlite:new/folder/leads.db' })
    await subscribe(server.origin, 'visitor@example.com')
    const modeOf = (path: string) => (statSync(join(sandbox.folder, path)).mode & 0o777).toString(8)
    expect(['new', 'new/folder'].map(modeOf)).toEqual(['700', '700'])
    const files = readdirSync(join(sandbox.folder, 'new/folder')).toSorted()
    expect(files.map((file) => [file, modeOf(`new/folder/${file}`)])).toEqual([
      ['leads.db', '600'],
      ['leads.db-shm', '600'],
      ['leads.db-wal', '600'],
    ])
  })

  test.each<[string, NodeJS.ProcessEnv, RegExp]>([
    ['a malformed port', { PORT: 'http' }, /^PORT must be .+\n$/],
    ['a folder instead of a file', { DATABASE_URL: 'sqlite:folder' }, /^Can't use the database .+DATABASE_URL\.\n$/],
    ['a host that is not ours', { HOST: '192.0.2.1' }, /^Can't listen .+PORT to a free port and HOST.+\n$/],
    ['a host that has no address', { HOST: 'no.such.host.invalid' }, /^Can't listen .+\n$/],
  ])('%s ends in one line', async (_, env, line) => {
    mkdirSync(join(sandbox.folder, 'folder'))
    expect(await sandbox.runToEnd(env)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
  })

  test.each(['file/leads.db', 'file', '/sys/leads/leads.db', '/proc/a/b/leads.db', '/proc/leads.db'])(
    'the database %s can not be used, and the error names the setting',
    async (name) => {
      writeFileSync(join(sandbox.folder, 'file'), 'no database '.repeat(1000))
      const opened = openDatabase({ kind: 'sqlite', file: resolve(sandbox.folder, name) })
      await expect(opened).rejects.toThrow(/^Can't use the database .+ in DATABASE_URL\.$/)
      await expect(opened).rejects.toThrow(UserError)
    },
  )

  test('a missing build ends in one line', async () => {
    rmSync(join(sandbox.folder, 'dist'), { recursive: true })
    const { code, stderr } = await sandbox.runToEnd()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^No built page in .+: run "npm run build"\.\n$/)])
  })

  test('a port in use ends in one line', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { code, stderr } = await sandbox.runToEnd({ PORT: String(port) })
    other.close()
    expect([code, stderr]).toEqual([
      1,
      `Port ${port} is in use: stop the program that uses it, or set PORT to another port.\n`,
    ])
  })
})

describe('stopping', () => {
  const said = (server: ServerProcess) =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with 0, and says so', async (signal) => {
    const server = await sandbox.start()
    await subscribe(server.origin, 'visitor@example.com')
    server.signal(signal)
    expect(await server.exited).toBe(0)
    expect(said(server).slice(-2)).toMatchObject([{ msg: 'stopping', signal }, { msg: 'stopped' }])
  })

  test('who does not read what it says holds up neither its answers nor its end', async () => {
    const server = await sandbox.start()
    server.stopReading()
    for (let i = 0; i < 300; i++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${server.origin}/healthz`)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      await Promise.all(answers.map((answer) => answer.text()))
    }
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
  })
})
