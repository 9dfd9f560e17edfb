import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { changes, serveFaulty } from '../support/contract/faulty-backend.ts'
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

/** Runs a command. Returns its exit code and its output. */
async function run(node: string, file: string, args: readonly string[], options = {}) {
  const { code = 0, stdout, stderr } = await promisify(execFile)(node, [file, ...args], options).catch((error) => error)
  return { code, stdout: stripVTControlCharacters(stdout), stderr }
}
const runBundle = (...args: string[]) => run(lastNode, 'contract-check.mjs', args, { cwd: folder, env: {} })

test('the check is one file, and runs on the Node of the machine', async () => {
  expect(readdirSync(folder)).toEqual(['contract-check.mjs'])
  const { code, stdout } = await runBundle(host, '--only', 'subscribe >')
  expect(stdout).toMatch(
    /^0 failed, \d{3} passed, 1 skipped\nNot checked: .*\nTo delete what it stored: .* LIKE 'contract\+[0-9a-f]{8}\.%'\.\n$/,
  )
  expect(code).toBe(0)
})

const uncached = changes(({ headers }) => ({ headers: { ...headers, 'cache-control': [] } }))

test('a fault of all answers is reported once, on the first screen and in JUnit', async () => {
  const args = [await serveFaulty(server.app, uncached), '--only', 'subscribe > A', '--junit', junit]
  const { code, stdout } = await run(process.execPath, 'contract/check/main.ts', args)
  expect(stdout.match(/^expected +the header Cache-Control$/gm)).toHaveLength(1)
  const screen = stdout.split('\n').slice(0, 24).join('\n')
  for (const part of ['Every answer carries it', 'got ', 'sent ', 'received ', 'to do ']) expect(screen).toContain(part)
  expect(readFileSync(junit, 'utf8').match(/<failure /g)).toHaveLength(1)
  expect(code).toBe(1)
})

test('neither terminal nor JUnit shows a value of --header', async () => {
  const repeats = changes(({ body }, { headers: { authorization, cookie } }) => ({
    status: 500,
    body: `${body} ${authorization} ${`${authorization}`.split(' ')[1]} ${JSON.stringify(cookie)}`,
  }))
  const secrets = ['--header', 'Authorization: Bearer s3cr3t-token', '--header', 'Cookie: gateway="s3cr3t-session"']
  const args = [await serveFaulty(server.app, repeats), '--only', 'A query', ...secrets, '--junit', junit]
  const { stdout } = await runBundle(...args)
  const xml = readFileSync(junit, 'utf8')
  for (const output of [stdout, xml]) expect(output).toContain('[secret] [secret]')
  expect(stdout + xml).not.toContain('s3cr3t')
})

test.for<[reason: string, args: string[], message: RegExp]>([
  ['no server listens', ['http://127.0.0.1:1'], /can't be asked: ECONNREFUSED/],
  ['both paths are unknown', [`${host}/api`], /is no backend of this contract: \/api\/subscribe 404/],
  ['the URL has a password', ['http://me:s3cr3t@x'], /Leave user and password out/],
  ['a header has no value', ['http://x', '--header', 's3cr3t'], /Give a header as 'Name: value'/],
  ['no test has the title', [host, '--only', 'nonsense'], /No test has 'nonsense' in its title/],
  ['no title contains the text, which is no pattern', [host, '--only', '(x'], /No test has '\(x' in its title/],
  ['--restart does not kill the backend', [host, '--only', 'the data', '--restart', 'true'], /has to kill it/],
])('the check exits with 2 if %s', async ([, args, message]) => {
  const { code, stderr } = await runBundle(...args)
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain('s3cr3t')
  expect(code).toBe(2)
})
