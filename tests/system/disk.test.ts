import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../support/enquiries.ts'
import { freePort } from '../support/local-server.ts'
import { enquiry, makeDatabase, readTable } from '../support/server/databases.ts'
import { leads } from '../support/server/leads.ts'
import { post, startLoad } from '../support/server/load.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

/** A folder for servers, with a small disk for their database, and the path of a file that can fill the disk. */
function makeSmallDisk() {
  const sandbox = makeServerFolder()
  const disk = join(sandbox.folder, 'data')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk])
  onTestFinished(async () => {
    // The server still uses the disk, so it is unmounted lazily.
    execFileSync('umount', ['--lazy', disk])
    await sandbox.remove()
  })
  return { sandbox, file: join(disk, 'leads.db'), filler: join(disk, 'filler') }
}

/** Fills the disk with pieces of the size of a database page. */
function fillDisk(filler: string) {
  const page = Buffer.alloc(4096)
  expect(() => {
    for (;;) appendFileSync(filler, page)
  }).toThrow('ENOSPC')
}

test('an erasure that failed because of a full disk is completed by the housekeeping', async () => {
  const { sandbox, file, filler } = makeSmallDisk()
  const server = await sandbox.start({ BACKUP_FOLDER: sandbox.folder })
  // The rows are larger than the remaining room. So they can be deleted, but the file can't be rewritten.
  for (const name of ['erased', ...Array.from({ length: 60 }, (_, i) => `kept${i}`)]) {
    const body = bodyOf(anEnquiry({ email: `${name}@example.com`, message: `Marked ${name} ${'x'.repeat(4000)}` }))
    expect(await post(`${server.origin}/api/contact-us`, body)).toBe(200)
  }
  const hasTraces = () =>
    ['', '-journal'].some((suffix) => readFileSync(file + suffix, 'latin1').includes('Marked erased'))
  fillDisk(filler)
  truncateSync(filler, statSync(filler).size - 65_536)
  const { code, stderr } = await leads(`sqlite:${file}`, ['erase', 'erased@example.com', '--yes'])
  expect([code, hasTraces()]).toEqual([1, true])
  expect(stderr).toMatch(
    /Erased: 1\nThe text of deleted rows is still in the file\. The disk of the database is full: make room\. Then run leads housekeeping\.\n$/,
  )
  rmSync(filler)
  expect(await leads(`sqlite:${file}`, ['housekeeping'])).toMatchObject({ code: 0 })
  expect(hasTraces()).toBe(false)
  expect(await readTable(`sqlite:${file}`, 'enquiries')).toHaveLength(60)
})

test('an erasure needs no other folder that can be written, as in a container', async () => {
  const database = await makeDatabase('sqlite')
  onTestFinished(database.remove)
  // The rows are more than SQLite keeps in memory.
  await database.add({ enquiries: Array.from({ length: 1500 }, () => enquiry({ message: 'x'.repeat(20_000) })) })
  const script = `mount --bind "$1" /mnt; mount -o remount,bind,ro /
    DATABASE_URL=sqlite:/mnt/leads.db exec "$2" "$3" erase e1 --yes`
  const values = [dirname(database.file), process.execPath, resolve('server/leads/main.ts')]
  const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...values], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.stringContaining('Erased: 1')])
})

test('a server with a full disk answers 503, loses nothing, and recovers by itself', async () => {
  const { sandbox, file, filler } = makeSmallDisk()
  const server = await sandbox.start({ BACKUP_FOLDER: sandbox.folder })
  const load = startLoad(server.origin, 20)
  await load.waitFor(200, 100)
  fillDisk(filler)
  await load.waitFor(503, 20)
  expect((await fetch(server.origin)).status).toBe(200)
  rmSync(filler)
  await load.waitFor(200, 100)
  await load.stop(`sqlite:${file}`, [200, 503])
  expect(server.output()).toContain('The disk of the database is full: make room.')
  await until(async () => (await fetch(`${server.origin}/readyz`)).ok)
})

test('a log on a full disk loses lines, but delays no answer', async () => {
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  const env = { ...process.env, PORT: `${await freePort()}`, DATABASE_URL: 'sqlite:leads.db' }
  const command = `exec '${process.execPath}' '${resolve('server/main.ts')}' >/dev/full`
  const server = spawn(command, { shell: true, cwd: sandbox.folder, env, stdio: 'inherit' })
  onTestFinished(() => void server.kill('SIGKILL'))
  const url = `http://127.0.0.1:${env.PORT}/api/subscribe`
  // The server warns about this header in its log.
  const call = () => post(url, subscriptionOf(), { 'x-forwarded-for': '192.0.2.1' })
  await until(async () => (await call()) === 200)
  expect([await call(), server.exitCode]).toEqual([200, null])
})
