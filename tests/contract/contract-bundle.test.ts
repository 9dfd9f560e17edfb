import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildTestApp } from '../support/server/build-test-app.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'tools', 'scripts', 'bundle-contract-check.ts')

/** Of every Node on the path the oldest: that of the machine may be older than the one that comes with the install. */
const [[version = '', oldest = ''] = []] = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter(existsSync)
  .map((file) => [execFileSync(file, ['--version'], { encoding: 'utf8' }).trim(), realpathSync(file)])
  .toSorted(([one = ''], [other = '']) => one.localeCompare(other, 'en', { numeric: true }))

test(`the bundle is one file, which runs from an empty folder on Node ${version} and finds the reference backend right`, async () => {
  const parent = mkdtempSync(join(tmpdir(), 'bundle-'))
  const folder = join(parent, 'empty')
  execFileSync(process.execPath, [SCRIPT, folder])
  expect(readdirSync(folder)).toEqual(['contract-check.mjs'])
  const run = (...args: string[]) =>
    promisify(execFile)(oldest, ['contract-check.mjs', ...args], { cwd: folder, env: {} })

  expect((await run('--help')).stdout).toMatch(/^Usage: node contract-check\.mjs \[options\] <host>/)
  const server = await buildTestApp()
  const { stdout, stderr } = await run(await server.listen())
  await server.close()
  expect(stdout).toMatch(/^subscribe\n {2}✓ subscribed {2}.*\n\d+ passed; \d+ answers\n/s)
  expect(stderr.replaceAll(/^\d+ of \d+ checks done.*\n/gm, '')).toBe('')
  rmSync(parent, { recursive: true })
})
