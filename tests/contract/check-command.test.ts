import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { answers, serveFaulty } from '../support/contract/faulty-backend.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const nodes = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))
/** The Node of the machine, which may be older than the Node of the npm install. */
const lastNode = nodes.findLast(existsSync) ?? process.execPath

const parent = mkdtempSync(join(tmpdir(), 'bundle-'))
const [folder, junit] = [join(parent, 'empty'), join(parent, 'contract.xml')]
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
  const { code, stdout, stderr } = await run([host], '--test-reporter=dot')
  expect(stdout).toMatch(/^[.\n]+$/)
  expect(stderr).toMatch(/Not checked: .*\nTo delete what it stored: .* LIKE 'contract\+[0-9a-f]{8}\.%'\.\n$/)
  expect(code).toBe(0)
})

test('a fault of all answers is reported once, on the screen and in JUnit', async () => {
  const uncached = answers(({ headers }) => ({ headers: { ...headers, 'cache-control': [] } }))
  const reporters = ['dot', 'stdout', 'junit', junit].map((value, place) =>
    place % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
  )
  const url = await serveFaulty(server.app, uncached)
  const { code, stdout } = await run([url], ...reporters, '--test-name-pattern=query-string')
  expect(stdout.match(/the header Cache-Control: is missing\n +to do: /g)).toHaveLength(1)
  expect(readFileSync(junit, 'utf8').match(/<failure /g)).toHaveLength(1)
  expect(code).toBe(1)
})

test.for<[reason: string, args: string[], message: RegExp]>([
  ['no server listens', ['http://127.0.0.1:1'], /no backend of this contract \(ECONNREFUSED/],
  ['both paths are unknown', [`${host}/api`], /no backend of this contract \(404/],
  ['a header has no value', ['http://x', '--header', 's3cr3t'], /Give a header as 'Name: value'/],
  ['an option is unknown', ['http://x', '--nonsense'], /^Usage: /],
  ['there is no URL', [], /^Usage: /],
])('the check exits with 2 if %s', async ([, args, message]) => {
  const { code, stderr } = await run(args)
  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})

test('the check exits with 2 if no test has the name', async () => {
  expect((await run([host], '--test-name-pattern=nonsense')).code).toBe(2)
})
