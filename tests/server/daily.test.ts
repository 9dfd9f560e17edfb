import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startDaily } from '../../server/daily.ts'
import { createLog } from '../../server/log.ts'
import { makeDatabase, makeStore } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

test('a server makes a backup a day in a process of its own, says so, and logs why it can not', async () => {
  const database = await makeDatabase('sqlite')
  const folder = mkdtempSync(join(tmpdir(), 'backups-'))
  onTestFinished(() => database.remove().then(() => rmSync(folder, { recursive: true })))
  const store = makeStore(await database.open())
  await store.addSubscriber('visitor@example.com')
  await store.close()
  for (const [name, value] of Object.entries({ DATABASE_URL: database.url, BACKUP_FOLDER: folder }))
    vi.stubEnv(name, value)
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers().unstubAllEnvs())

  const lines: { level: string; msg: string }[] = []
  const onSuccess = vi.fn()
  startDaily(createLog({ write: (line) => lines.push(JSON.parse(line)) }), onSuccess)
  vi.advanceTimersByTime(3_600_000)
  await until(() => onSuccess.mock.calls.length === 1)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^leads-[\d-]+\.db$/)])
  // Doing it again does nothing, and says nothing.
  vi.advanceTimersByTime(3_600_000)
  await until(() => onSuccess.mock.calls.length === 2)
  expect(lines).toMatchObject([{ level: 'info', msg: expect.stringContaining('subscribers 1, enquiries 0') }])

  vi.stubEnv('BACKUP_FOLDER', join(folder, 'file', 'folder'))
  writeFileSync(join(folder, 'file'), '')
  vi.advanceTimersByTime(3_600_000)
  await until(() => lines.length === 2)
  expect(lines[1]).toMatchObject({
    level: 'error',
    msg: expect.stringMatching(/again in an hour: ENOTDIR.+folder exists/),
  })
  expect(onSuccess).toHaveBeenCalledTimes(2)
})
