import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startDaily } from '../../server/daily.ts'
import { createLog } from '../../server/log.ts'
import type { Mail } from '../../server/mail/mails.ts'
import { databaseWith } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

const database = databaseWith()

test('daily work is a process of its own, and its failures in a row are told once', async () => {
  const folder = `${database.file}.backups`
  const unusable = join(folder, 'file', 'folder')
  vi.stubEnv('DATABASE_URL', database.url)
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers().unstubAllEnvs())

  const lines: string[] = []
  const ends: boolean[] = []
  const send = vi.fn(async (_mail: Mail) => ({ delivered: true, code: '250' }))
  const log = createLog({ write: (line) => lines.push(JSON.parse(line).msg) })
  startDaily({ log, send, onEnd: (succeeded) => ends.push(succeeded) })
  async function look(ms: number, backups = folder) {
    const count = ends.length
    vi.stubEnv('BACKUP_FOLDER', backups)
    vi.advanceTimersByTime(ms)
    await until(() => ends.length > count)
  }
  await look(10_000)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^leads-[\d-]+\.db$/)])

  writeFileSync(join(folder, 'file'), '')
  await look(3_590_000, unusable)
  await look(3_600_000, unusable)
  await look(3_600_000)
  await look(3_600_000, unusable)
  expect(ends).toEqual([true, false, false, true, false])
  expect(lines).toEqual([
    expect.stringContaining(': rows 0'),
    ...Array(3).fill(expect.stringMatching(/again in an hour: ENOTDIR.+folder exists/)),
  ])
  // The failure after a success is told again.
  expect(send.mock.calls).toMatchObject(Array(2).fill([{ automatic: true, text: expect.stringContaining('ENOTDIR') }]))
})
