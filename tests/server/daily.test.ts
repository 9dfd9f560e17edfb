import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startDaily } from '../../server/daily.ts'
import { createLog } from '../../server/log.ts'
import type { Mail } from '../../server/mail/mails.ts'
import { openDatabases } from '../support/server/databases.ts'
import { until } from '../support/until.ts'

const [sandbox] = openDatabases('sqlite')

test('a server does the daily work in a process of its own, and tells of failures in a row once', async () => {
  const folder = `${sandbox.file}.backups`
  vi.stubEnv('DATABASE_URL', sandbox.url).stubEnv('BACKUP_FOLDER', folder)
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

  writeFileSync(join(folder, 'file'), '')
  vi.stubEnv('BACKUP_FOLDER', join(folder, 'file', 'folder'))
  await look(3_590_000)
  await look(3_600_000)
  expect(ends).toEqual([true, false, false])
  expect(lines).toEqual([
    expect.stringContaining(': rows 0'),
    ...Array(2).fill(expect.stringMatching(/again in an hour: ENOTDIR.+folder exists/)),
  ])
  expect(send.mock.calls).toMatchObject([[{ automatic: true, text: expect.stringContaining('ENOTDIR') }]])
})
