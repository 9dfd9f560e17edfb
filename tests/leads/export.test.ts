import {
  closeSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUNDS } from '../support/rounds.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { enquiry, leads, leadsProcess, read, startLeads, store, storeMany } from '../support/server/leads.ts'

/** A million at 20 rounds. */
const COUNT = ROUNDS >= 20 ? 1_000_000 : 150_000

/** Less than the rows take. */
const HEAP_MB = 32

/** The environment of a command that tells what is in a folder when it first says how far it is, and then gets a signal. */
const endsItself = (folder: string, signal: string) => {
  const module = `import { readdirSync } from 'node:fs'
    const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = () => {
      process.stderr.write = write
      process.kill(process.pid, '${signal}')
      return write('files: ' + readdirSync(${JSON.stringify(folder)}).join(' ') + '\\n')
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` }
}

describe.each(DATABASES)('an export from %s', (kind) => {
  let database: TestDatabase
  let folder: string
  beforeAll(async () => {
    database = await makeDatabase(kind)
    await storeMany(database, COUNT)
    folder = mkdtempSync(join(tmpdir(), 'export-'))
  })
  afterAll(async () => {
    await database.remove()
    rmSync(folder, { recursive: true })
  })

  const toFile = (file: string, ...more: string[]) => ['export', 'enquiries', '--out', join(folder, file), ...more]

  test(`of ${COUNT} rows tells how far it is, and never holds them all in memory`, async () => {
    const all = await leadsProcess(database.url, toFile('all.csv'), { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` })
    expect([all.code, all.stdout]).toEqual([0, ''])
    const size = statSync(join(folder, 'all.csv')).size
    console.log(`export from ${kind}: ${COUNT} rows, ${Math.round(size / 1e6)} MB with a heap of ${HEAP_MB} MB`)
    expect(size).toBeGreaterThan(HEAP_MB * 1_048_576)
    const lines = readFileSync(join(folder, 'all.csv'), 'latin1').split('\r\n')
    expect([lines.length, lines.at(-1)]).toEqual([COUNT + 2, ''])
    expect(lines.at(-2)).toMatch(new RegExp(`^${COUNT},.*start\\? ${COUNT}"$`))
    const told = [...all.stderr.matchAll(/^Exporting enquiries: ([\d,]+) of ([\d,]+)$/gm)]
    expect(told.length).toBeGreaterThan(1)
    expect(told.at(-1)?.slice(1)).toEqual([COUNT.toLocaleString('en'), COUNT.toLocaleString('en')])
    expect(statSync(join(folder, 'all.csv')).mode & 0o777).toBe(0o600)
  }, 120_000)

  test.each([
    ['Ctrl-C', 'SIGINT', 130],
    ['the end of its terminal', 'SIGHUP', 129],
  ])('that %s ends leaves no file', async (_, signal, code) => {
    const { code: ended, stderr } = await leadsProcess(database.url, toFile('half.csv'), endsItself(folder, signal))
    expect(ended).toBe(code)
    expect(stderr).toMatch(/^files: .*half\.csv\.\d+\.part/m)
    expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual([])
  })

  test('takes the place of an older file, also behind a link, and of nothing else', async () => {
    const [old, link] = [join(folder, 'old.csv'), join(folder, 'link.csv')]
    writeFileSync(old, 'old')
    symlinkSync(old, link)
    const recent = ['--since', '1d']
    expect((await leads(database.url, toFile('link.csv', ...recent))).code).toBe(0)
    expect([readFileSync(old, 'utf8').slice(0, 4), lstatSync(link).isSymbolicLink()]).toEqual(['"id"', true])
    const refused = await leads(database.url, ['export', 'enquiries', '--out', '/dev/stdout', ...recent])
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^\/dev\/stdout is not a regular file.+\n$/),
    })
    const nowhere = await leads(database.url, toFile('none/new.csv', ...recent))
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^ENOENT.+: check that its folder exists .+$/m),
    })
    expect(nowhere.stderr).not.toMatch(/DATABASE_URL|^ +at /m)
  })

  test('that standard output does not take is told', async () => {
    const full = openSync('/dev/full', 'w')
    const { code, stderr } = await leadsProcess(database.url, ['export', 'enquiries'], {}, '', full)
    closeSync(full)
    expect([code, stderr]).toEqual([1, expect.stringContaining("Can't write to standard output (ENOSPC)")])
  })

  test('ends without a word when its reader has seen enough', async () => {
    const { child, ended } = startLeads(database.url, ['export', 'enquiries'])
    child.stdout?.once('data', () => child.stdout?.destroy())
    const { code, stderr } = await ended
    expect([code, stderr.replace(/^Exporting enquiries: .+\n/gm, '')]).toEqual([0, ''])
  })

  test('is CSV as RFC 4180 has it, in UTF-8', async () => {
    const { stdout } = await leads(database.url, ['export', 'subscribers'])
    expect(stdout).toBe('"id","created_at","email"\r\n')
    await store(database, { enquiries: [enquiry({ last_name: 'Ñandú "名前"', message: 'One\r\nTwo,\nthree' })] })
    const last = await read(database.url, 'export', 'enquiries', '--since', '1d')
    expect(last.split('\r\n')[0]).toBe('"id","created_at","first_name","last_name","email","message"')
    expect(parse(last)[1]?.slice(2)).toEqual(['Given', 'Ñandú "名前"', 'visitor@example.com', 'One\nTwo,\nthree'])
  })
})
