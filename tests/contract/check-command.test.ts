import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { problem, serveFaulty } from '../support/contract/check.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const nodes = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
/** The Node of the machine, which may be older than the Node of the npm install. */
const lastNode = nodes.findLast(existsSync) ?? process.execPath

const parent = mkdtempSync(join(tmpdir(), 'bundle-'))
const folder = join(parent, 'empty')
execFileSync(process.execPath, ['tools/scripts/bundle-contract-check.ts', folder])
const server = await buildTestApp()
const host = await server.listen()
afterAll(async () => {
  await server.close()
  rmSync(parent, { recursive: true })
})

/** Runs the bundle on the Node of the machine. Returns its exit code and its output. */
async function run(args: readonly string[], ...flags: string[]) {
  const command = [...flags, 'contract-check.mjs', ...args]
  const done = promisify(execFile)(lastNode, command, { cwd: folder, env: {} })
  const { code = 0, stdout, stderr } = await done.catch((error) => error)
  return { code, stdout: stripVTControlCharacters(stdout), stderr }
}

test('the check is one file, and runs on the Node of the machine', async () => {
  expect(readdirSync(folder)).toEqual(['contract-check.mjs'])
  const flags = ['--test-reporter=dot', '--test-name-pattern=> (addresses|keep-alive)']
  const { code, stdout, stderr } = await run([host], ...flags)
  expect(stdout).toMatch(/^[.\n]+$/)
  expect(stderr).toMatch(/Not checked: .*\nTo delete what it stored: .* LIKE 'contract\+[0-9a-f]{8}\.%'\.\n$/)
  expect(code).toBe(0)
})

test('the report says what to do about a fault, and the check exits with 1', async () => {
  const url = await serveFaulty(server.app, () => problem(422))
  const { code, stdout } = await run([url], '--test-reporter=dot', '--test-name-pattern=subscribe > first-call')
  expect(stdout).toMatch(/expected 200, got 422\n +to do: /)
  expect(code).toBe(1)
})

test.for<[reason: string, message: RegExp, args: string[], ...flags: string[]]>([
  ['no server listens', /no backend of this contract \(ECONNREFUSED/, ['http://127.0.0.1:1']],
  ['no test has the name', /^$/, [host], '--test-name-pattern=nonsense'],
])('the check exits with 2 if %s', async ([, message, args, ...flags]) => {
  const { code, stderr } = await run(args, ...flags)
  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})
