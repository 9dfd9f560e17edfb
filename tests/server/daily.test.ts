import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startDaily } from '../../server/daily.ts'
import { createLog } from '../../server/log.ts'
import type { Mail } from '../../server/mail/mails.ts'
import { makeDatabase, makeStore } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

test('a server does the daily work in a process of its own, and tells of failures in a row once', async () => {
  const database = await makeDatabase('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'backups-'))
  onTestFinished(() => database.remove().then(() => rmSync(folder, { recursive: true })))
  const store = makeStore(await database.open())
  await store.addSubscriber('visitor@example.com')
  await store.close()
  for (const [name, value] of Object.entries({ DATABASE_URL: database.url, BACKUP_FOLDER: folder }))
    vi.stubEnv(name, value)
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers().unstubAllEnvs())

  const lines: string[] = []
  const ends: boolean[] = []
  const send = vi.fn(async (_mail: Mail) => ({ delivered: true, code: '250' }))
  const log = createLog({ write: (line) => lines.push(JSON.parse(line).msg) })
  startDaily({ log, send, onEnd: (succeeded) => ends.push(succeeded) })
  async function look(ms: number) {
    const count = ends.length
    vi.advanceTimersByTime(ms)
    await until(() => ends.length > count)
  }
  await look(10_000)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^leads-[\d-]+\.db$/)])
  // Doing it again does nothing, and says nothing.
  await look(3_590_000)
  expect(lines).toEqual([expect.stringContaining(': rows 1')])

  vi.stubEnv('BACKUP_FOLDER', join(folder, 'file', 'folder'))
  writeFileSync(join(folder, 'file'), '')
  for (let hour = 0; hour < 2; hour++) await look(3_600_000)
  expect(ends).toEqual([true, true, false, false])
  expect(lines[1]).toMatch(/again in an hour: ENOTDIR.+folder exists/)
  expect(send.mock.calls).toMatchObject([[{ automatic: true, text: expect.stringContaining('ENOTDIR') }]])
})
