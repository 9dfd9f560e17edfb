import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { serveFaulty, withHeaders } from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

/** Of every Node on the path the oldest: that of the machine may be older than the one that comes with the install. */
const [[version = '', oldest = ''] = []] = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter(existsSync)
  .map((file) => [execFileSync(file, ['--version'], { encoding: 'utf8' }).trim(), realpathSync(file)])
  .toSorted(([one = ''], [other = '']) => one.localeCompare(other, 'en', { numeric: true }))

const parent = mkdtempSync(join(tmpdir(), 'bundle-'))
const folder = join(parent, 'empty')
execFileSync(process.execPath, ['tools/scripts/bundle-contract-check.ts', folder])
const server = await buildTestApp()
const host = await server.listen()
afterAll(async () => {
  await server.close()
  rmSync(parent, { recursive: true })
})
const run = (...args: string[]) =>
  promisify(execFile)(oldest, ['contract-check.mjs', ...args], { cwd: folder, env: {} })

test(`the check is one file that finds the reference backend on SQLite right, on Node ${version}`, async () => {
  expect(readdirSync(folder)).toEqual(['contract-check.mjs'])
  const { stdout } = await run(host)
  expect(stdout).toMatch(/^0 failed, \d{3} passed, 2 skipped\nNot checked: .*\nTo delete what it stored: .*\n$/)
})

test('the one file tells a fault as the command does, writes JUnit, and ends with 1', async () => {
  const faulty = await serveFaulty(
    server.app,
    withHeaders(() => ({ 'cache-control': [] })),
  )
  const { code, stdout } = await run(faulty, '--only', 'A query', '--junit', 'contract.xml').catch((error) => error)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✗ subscribe > A query string .*\nexpected +the header Cache-Control\n.*\n1 failed, /s)
  expect(readFileSync(join(folder, 'contract.xml'), 'utf8')).toContain('<failure message="Every answer carries it')
})
