import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import fs, { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import SqliteFile from 'better-sqlite3'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startHousekeeping } from '../../server/housekeeping.ts'
import { createLog } from '../../server/log.ts'
import type { Send } from '../../server/mail/smtp.ts'
import { readSettings } from '../../server/settings.ts'
import { timeOfNewestBackup } from '../../server/storage/backups.ts'
import { DAY_MS, VISITOR_TABLES, type VisitorTable } from '../../server/storage/database.ts'
import { processesWith } from '../support/processes.ts'
import { databaseWith, enquiry, readTable, subscriber } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { until } from '../support/until.ts'

const OLD_BACKUPS = ['leads-2020-01-01.db', 'leads-2020-01-02.db']
const KEEP = { KEEP_SUBSCRIBERS_DAYS: '30', KEEP_ENQUIRIES_DAYS: '30' }

const database = databaseWith({
  subscribers: [subscriber('old@example.com', 40), subscriber('new@example.com')],
  enquiries: [enquiry({}, 40)],
})
let folder: string
beforeEach(() => {
  folder = `${database.file}.backups`
  mkdirSync(folder)
  for (const name of OLD_BACKUPS) writeFileSync(`${folder}/${name}`, '')
  // The clock stands still, so that no test runs past midnight.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] })
  return () => void vi.useRealTimers()
})

const housekeeping = (env: Record<string, string>, ...options: string[]) =>
  leads(database.url, ['housekeeping', ...options], { BACKUP_FOLDER: folder, ...env })
const counts = async () => [(await database.rows('subscribers')).length, (await database.rows('enquiries')).length]
const newBackups = () =>
  readdirSync(folder).filter((name) => /^leads-\d{4}-\d\d-\d\d\.db$/.test(name) && name > 'leads-2021')

test('housekeeping makes one backup a day, and then deletes rows that are too old', async () => {
  const stderr = expect.stringMatching(/^Backed up and checked, in .+: rows 3\nDeleted: subscribers 1\n$/)
  expect(await housekeeping({ KEEP_SUBSCRIBERS_DAYS: '30' })).toEqual({ code: 0, stdout: '', stderr })
  expect(await counts()).toEqual([1, 1])
  await database.add({ subscribers: [subscriber('late@example.com')] })
  const known = expect.stringMatching(/^Today's backup was made at \d\d:\d\d UTC\. Rows now: 3\n$/)
  expect(await housekeeping({})).toEqual({ code: 0, stdout: '', stderr: known })
  const [today, ...others] = newBackups()
  expect(others).toEqual([])
  expect(await readTable(`sqlite:${folder}/${today}`, 'subscribers')).toHaveLength(2)
})

test('the newest KEEP_BACKUPS backups stay, and files that are no backups', async () => {
  writeFileSync(`${folder}/leads-before.db`, '')
  await housekeeping({ KEEP_BACKUPS: '2' })
  expect(readdirSync(folder).toSorted()).toEqual([...OLD_BACKUPS.slice(1), ...newBackups(), 'leads-before.db'])
})

test('a backup with a future date is not the newest, and does not cause a deletion', async () => {
  const future = 'leads-2999-12-31.db'
  writeFileSync(`${folder}/${future}`, '')
  expect(timeOfNewestBackup(folder)).toEqual(statSync(`${folder}/leads-2020-01-02.db`).mtime)
  await housekeeping({ KEEP_BACKUPS: '1' })
  const [today, ...others] = newBackups()
  expect(others).toEqual([future])
  expect(readdirSync(folder).toSorted()).toEqual([today, future])
})

test('an unfinished file of a killed process is deleted when it is two hours old', async () => {
  const places = [dirname(database.file), folder]
  const files = places.flatMap((place) =>
    ['.part', '.part-journal'].map((end) => `${place}/a.db.${randomUUID()}${end}`),
  )
  const write = () => files.forEach((file) => void writeFileSync(file, ''))
  write()
  await housekeeping({})
  expect(files.filter(existsSync)).toEqual(files)
  vi.setSystemTime(Date.now() + 2.1 * 3_600_000)
  await housekeeping({})
  expect(files.filter(existsSync)).toEqual([])
})

/** Makes a function of the file system fail for the backup folder, as on another disk. */
function failInFolder(name: 'fsyncSync' | 'openSync', code: string) {
  const openPaths = new Map<unknown, string>()
  const { fsyncSync, openSync, renameSync } = fs
  const fail = (code: string) => {
    throw Object.assign(new Error(code), { code, path: folder })
  }
  const isInFolder = (path: unknown) => `${path}`.startsWith(folder)
  const spies = [
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (isInFolder(from) !== isInFolder(to)) fail('EXDEV')
      renameSync(from, to)
    }),
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...others) => {
      if (name === 'openSync' && isInFolder(path)) fail(code)
      const descriptor = openSync(path, ...others)
      openPaths.set(descriptor, `${path}`)
      return descriptor
    }),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      if (name === 'fsyncSync' && isInFolder(openPaths.get(descriptor))) fail(code)
      fsyncSync(descriptor)
    }),
  ]
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()))
}

test.each([
  ['fsyncSync', 'EINVAL'],
  ['fsyncSync', 'ENOTSUP'],
  ['fsyncSync', 'EPERM'],
  ['openSync', 'EISDIR'],
  ['openSync', 'EACCES'],
] as const)('if %s fails with %s on the backup disk, the backup is made beside the database', async (name, code) => {
  failInFolder(name, code)
  const copy = vi.spyOn(SqliteFile.prototype, 'backup')
  expect(await housekeeping({ KEEP_BACKUPS: '2' })).toMatchObject({ code: 0 })
  // A network share may have no locks for SQLite.
  expect(dirname(String(copy.mock.lastCall?.[0]))).toBe(dirname(database.file))
  copy.mockRestore()
  expect((statSync(`${folder}/${newBackups()[0]}`).mode & 0o777).toString(8)).toBe('600')
  expect(readdirSync(folder)).toEqual([...OLD_BACKUPS.slice(1), ...newBackups()])
  expect(await readTable(`sqlite:${folder}/${newBackups()[0]}`, 'subscribers')).toHaveLength(2)
  expect(readdirSync(dirname(database.file)).filter((file) => file.endsWith('.part'))).toEqual([])
})

test('old rows and backups are deleted although the disk refuses the new backup', async () => {
  failInFolder('fsyncSync', 'EIO')
  const stderr = expect.stringMatching(
    /^Can't write into .+backups \(EIO\): check that .+\nDeleted: subscribers 1\nDeleted: enquiries 1\nThe housekeeping is incomplete: .+\n$/,
  )
  expect(await housekeeping({ KEEP_BACKUPS: '1', ...KEEP })).toMatchObject({ code: 1, stderr })
  expect(readdirSync(folder)).toEqual(OLD_BACKUPS.slice(1))
  expect(await counts()).toEqual([1, 0])
})

test('a damaged database gets no backup, and nothing is deleted', async () => {
  const damage = "pragma writable_schema = on; update sqlite_schema set rootpage = 2 where name = 'readiness'"
  new SqliteFile(database.file).unsafeMode().exec(damage).close()
  const stderr = expect.stringMatching(/^SQLITE_CORRUPT: .+ is damaged: restore an undamaged backup\.\n$/)
  expect(await housekeeping({ KEEP_BACKUPS: '1', ...KEEP })).toMatchObject({ code: 1, stderr })
  expect(readdirSync(folder)).toEqual(OLD_BACKUPS)
  expect(await counts()).toEqual([2, 1])
})

test('no backup is deleted if the database is empty', async () => {
  for (const table of VISITOR_TABLES) await database.run((db) => db.deleteFrom<VisitorTable>(table).execute())
  expect(await housekeeping({ KEEP_BACKUPS: '1' })).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual([...OLD_BACKUPS, ...newBackups()])
})

test('if subscribers are suspiciously old, old enquiries are deleted nevertheless', async () => {
  await database.add({ subscribers: [subscriber('older@example.com', 100)] })
  const stderr = expect.stringMatching(/^Nothing was deleted from subscribers, because .+\nDeleted: enquiries 1$/m)
  expect(await housekeeping(KEEP)).toMatchObject({ code: 1, stderr })
  expect(await counts()).toEqual([3, 0])
})

test('nothing is deleted while the clock is years ahead, unless somebody forces it', async () => {
  vi.setSystemTime(Date.now() + 3650 * DAY_MS)
  const stderr = expect.stringMatching(
    /^Nothing was deleted from subscribers, because .+ leads housekeeping --force once\.$/m,
  )
  expect(await housekeeping(KEEP)).toMatchObject({ code: 1, stderr })
  expect(await counts()).toEqual([2, 1])
  expect(await housekeeping(KEEP, '--force')).toMatchObject({ code: 0 })
  expect(await counts()).toEqual([0, 0])
})

/** Starts the housekeeping as a server does. */
function startInServer(...others: [send: Send | null, onEnd: (succeeded: boolean) => void]) {
  const env = { DATABASE_URL: database.url, BACKUP_FOLDER: folder, KEEP_ENQUIRIES_DAYS: '30' }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines: string[] = []
  const log = createLog({ write: (line) => lines.push(JSON.parse(line).msg) })
  const { stop } = startHousekeeping(readSettings(env), log, ...others)
  onTestFinished(stop)
  return { lines, stop }
}

test('a server that stops ends the housekeeping, even while that waits for a lock', async () => {
  const otherProgram = new SqliteFile(database.file).exec('begin immediate')
  onTestFinished(() => void otherProgram.close())
  const onEnd = vi.fn()
  const { stop, lines } = startInServer(null, onEnd)
  vi.advanceTimersByTime(10_000)
  await until(() => newBackups().length > 0)
  expect(processesWith(database.file)).toHaveLength(1)
  stop()
  await until(() => processesWith(database.file).length === 0)
  // When Node reports the end of a later process, it has reported the end of the housekeeping too.
  await promisify(execFile)(process.execPath, ['--version'])
  expect(onEnd).not.toHaveBeenCalled()
  expect(lines).toEqual([])
})

test('the housekeeping runs in another process once a day, and mails its first failure', async () => {
  const ends: boolean[] = []
  const send = vi.fn<Send>(async () => ({ delivered: true, code: '250' }))
  const { lines } = startInServer(send, (succeeded) => ends.push(succeeded))
  async function look(ms = 3_600_000) {
    const count = ends.length
    vi.advanceTimersByTime(ms)
    await until(() => ends.length > count)
  }
  /** A file where the folder should be. */
  async function failingLook() {
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, '')
    await look()
    rmSync(folder)
  }
  await look(10_000)
  expect(newBackups()).toHaveLength(1)
  vi.advanceTimersByTime(3_600_000)
  await failingLook()
  await failingLook()
  await look()
  await failingLook()
  expect(ends).toEqual([true, false, false, true, false])
  const failed = expect.stringMatching(/^housekeeping failed: E\w+: check that the folder of /)
  const succeeded = expect.stringMatching(/^housekeeping: Backed up and checked, .+: rows \d\. Deleted: enquiries \d$/)
  expect(lines).toEqual([succeeded, failed, failed, succeeded, failed])
  expect(send.mock.calls).toMatchObject(Array(2).fill([{ text: expect.stringContaining('check that') }]))
})
