import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'bundle-contract-check.ts')

/** Every Node on the path: beside the one that comes with the install there is that of the machine, which may be older. */
const NODES = [
  ...new Set(
    (process.env.PATH ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'node'))
      .filter(existsSync)
      .map((file) => realpathSync(file)),
  ),
].map((file) => [execFileSync(file, ['--version'], { encoding: 'utf8' }).trim(), file] as const)

let server: TestApp
let origin: string
let folder: string
beforeAll(async () => {
  server = await buildTestApp()
  origin = await server.listen()
  folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  execFileSync(process.execPath, [SCRIPT, folder])
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test('the bundle is one file', () => {
  expect(readdirSync(folder)).toEqual(['contract-check.mjs'])
})

test.each(NODES)('it runs from an empty folder on Node %s, and finds the reference backend right', async (_, node) => {
  const args = ['contract-check.mjs', origin, '--runs', '5']
  const { stdout, stderr } = await promisify(execFile)(node, args, { cwd: folder, env: {} })
  expect(stdout).toMatch(/^\d+ passed, 8 skipped; \d+ answers$/m)
  expect(stdout).not.toContain('\x1b')
  expect(stderr.replaceAll(/^\d+ of \d+ checks done.*\n/gm, '')).toBe('')
})

test('it tells how it is called', () => {
  const help = execFileSync(process.execPath, ['contract-check.mjs', '--help'], { cwd: folder, encoding: 'utf8' })
  expect(help).toMatch(/^Usage: node contract-check\.mjs \[options\] <host>/)
})
