import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { problem, serveFaulty } from '../support/contract/conformance.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const nodes = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
/** The Node of the machine, which may be older than the Node of the npm install. */
const lastNode = nodes.findLast(existsSync) ?? process.execPath

const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
execFileSync(process.execPath, ['tools/scripts/bundle-conformance.ts', folder])
const server = await buildTestApp()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Runs the bundle on the Node of the machine. Returns its exit code and its output. */
async function run(...args: readonly string[]) {
  const command = ['--test-reporter=dot', 'contract-check.mjs', ...args]
  const done = promisify(execFile)(lastNode, command, { cwd: folder, env: {} })
  const { code = 0, stdout, stderr } = await done.catch((error) => error)
  return { code, stdout: stripVTControlCharacters(stdout), stderr }
}

test('the check is one file, and runs on the Node of the machine', async () => {
  expect(readdirSync(folder)).toEqual(['contract-check.mjs'])
  const { code, stdout, stderr } = await run(await server.listen())
  expect(stdout).toMatch(/^[.\n]+$/)
  expect(stderr).toMatch(/^Checks .* LIKE 'contract\+[0-9a-f]{8}\.%'\./)
  expect(stderr).toMatch(/(\nSkipped \w+ > crashes: .*can't see what a crash loses\.){2}\n$/)
  expect(code).toBe(0)
})

test('a failed first call shows rule, fault, call and answer, and ends the check', async () => {
  const { code, stdout, stderr } = await run(await serveFaulty(server.app, () => problem(500)))
  expect(stdout).toMatch(/^X\n.*subscribe > first-call: .*\n *Expected 200, got 500\.\n *curl .*'\n.*status: 500/s)
  expect(stderr).toMatch(/\nThe check ends here/)
  expect(code).toBe(1)
})

test.each([
  { what: 'no server listens', code: 1, shown: /ECONNREFUSED\. .*Start the backend/, url: () => 'http://127.0.0.1:1' },
  {
    what: 'the URL has no scheme',
    code: 2,
    shown: /^'localhost:8080' does not begin with http:.*\n\nUsage: /,
    url: () => 'localhost:8080',
  },
  { what: 'no option has this name', code: 2, shown: /^Unknown option '--hedaer'\.\n\nUsage: /, url: () => '--hedaer' },
  {
    what: 'calls are limited',
    code: 2,
    shown: /\/api\/subscribe answered 429: switch rate limits off/,
    url: () => serveFaulty(server.app, () => problem(429)),
  },
])('if $what, the check says what to do, and exits with $code', async ({ code, shown, url }) => {
  const { stdout, stderr, ...ended } = await run(await url())
  expect(stderr + stdout).toMatch(shown)
  expect(ended.code).toBe(code)
})
