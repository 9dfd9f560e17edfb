import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { changes, counter, type Handler, problem, serveFaulty, withHeaders } from '../support/contract/serve-faulty.ts'
import { localServer, says } from '../support/local-server.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'contract-'))
const junit = join(folder, 'contract.xml')
const server = await buildTestApp()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** The command as a process: its exit code, and what it says. */
async function contract(...args: string[]) {
  const child = spawn(process.execPath, ['contract/check/main.ts', ...args])
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, said: stripVTControlCharacters(stdout), stderr }
}
const checkOf = async (handler: Handler, ...args: string[]) => contract(await serveFaulty(server.app, handler), ...args)
const right: Handler = (call, right) => right(call)

test('what is not checked, and how to delete what was stored, are the last two lines', async () => {
  const { code, said } = await checkOf(right, '--only', 'A query string')
  expect(code).toBe(0)
  expect(said).toMatch(/\nNot checked: .*\nTo delete what it stored: .* LIKE 'contract\+[0-9a-f]{8}\.%'\.\n$/)
})

test('a header that is missing everywhere is told once, on the first screen', async () => {
  const { code, said } = await checkOf(withHeaders(() => ({ 'cache-control': [] })))
  expect(code).toBe(1)
  expect(said.match(/^expected +the header Cache-Control$/gm)).toHaveLength(1)
  const screen = said.split('\n').slice(0, 24).join('\n')
  for (const part of ['Every answer carries it', 'got ', 'sent ', 'received ', 'to do ']) expect(screen).toContain(part)
})

test('after ten faults it stops', async () => {
  const nth = counter()
  const { said } = await checkOf((call, right) => (nth('') > 9 ? problem(500) : right(call)))
  expect(said.match(/^sent /gm)).toHaveLength(10)
  expect(said).toContain('what is left after 10 faults')
})

test('a failure shows the call before, the call, its answer, and what to do', async () => {
  const forgets = changes(({ status }, { key }) => (status === 422 && /[A-F]/.test(key) ? { status: 500 } : {}))
  const { said } = await checkOf(forgets, '--only', 'the same key')
  expect(said).toMatch(
    /\nexpected +422\ngot +500 .*\nto do .*\nfirst sent .*received +200\n.*then sent .*received +500\n/s,
  )
})

const GOES = 'Bearer s3cr3t-token; gateway="s3cr3t-session"'
test('neither terminal nor JUnit shows a value of --header, which goes with every call', async () => {
  const seen = new Set<string>()
  const repeats = changes(({ body }, { headers: { authorization, cookie } }) => {
    seen.add(`${authorization}; ${cookie}`.slice(0, GOES.length))
    return { status: 500, body: `${body} ${authorization} ${authorization?.split(' ')[1]} ${JSON.stringify(cookie)}` }
  })
  const secrets = ['--header', 'Authorization: Bearer s3cr3t-token', '--header', 'Cookie: gateway="s3cr3t-session"']
  const { code, said } = await checkOf(repeats, ...secrets, '--junit', junit)
  expect(code).toBe(1)
  expect([...seen]).toEqual([GOES])
  expect(said).toContain('[secret]')
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toContain('<failure ')
  expect(said + xml).not.toContain('s3cr3t')
})

test.for<[wrong: string, answer: ReturnType<typeof says>, told: RegExp]>([
  ['201 for 200', says('{"success":true,"email_exists":false}', 201), /got +201 .*does not know/],
  ['text/plain', says('{"success":true}', 200, { 'Content-Type': 'text/plain' }), /expected +application\/json\n/],
  ['a redirect', says('', 301, { Location: 'https://x.example' }), /It follows no redirect/],
  ['more than a megabyte', says(`"${'a'.repeat(2 ** 20)}"`), /more than 1 MiB/],
])('a backend that answers with %s is broken, and ends it with 1', async ([, answer, told]) => {
  const broken = await localServer(answer)
  const { code, said } = await contract(broken.origin, '--only', 'the example of the contract')
  expect(said).toMatch(told)
  expect(code).toBe(1)
})

async function listenWithoutHttp() {
  const noHttp = createServer((socket) => socket.end('nonsense \r\n\r\n')).listen(0, '127.0.0.1')
  await once(noHttp, 'listening')
  onTestFinished(() => void noHttp.close())
  return [`127.0.0.1:${Object(noHttp.address()).port}`]
}
const originOf = async (answer: ReturnType<typeof says>) => [(await localServer(answer)).origin]
const asPage = says('<h1>', 200, { 'Content-Type': 'text/html' })

test.for<[what: string, args: string[] | (() => Promise<string[]>), told: RegExp]>([
  ['nobody listens', ['http://127.0.0.1:1'], /can't be asked: ECONNREFUSED/],
  ['no HTTP', listenWithoutHttp, /can't be asked: HPE_/],
  ['404 on both paths', () => originOf(says('{}', 404)), /is no backend of this contract: \/api\/subscribe 404/],
  ['a page of HTML', () => originOf(asPage), /is no backend of this contract: \/api\/subscribe 200 text\/html/],
  ['no URL', [], /Give the URL of one backend/],
  ['a password in the URL', ['http://me:s3cr3t@x'], /Leave user and password out/],
  ['a header without a value', ['http://x', '--header', 's3cr3t'], /Give a header as 'Name: value'/],
  ['an option that is none', ['http://x', '--nonsense'], /'--nonsense'/],
])('%s ends it with 2, told in one line', async ([, args, told]) => {
  const { code, stderr } = await contract(...(typeof args === 'function' ? await args() : args))
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr).toMatch(told)
  expect(stderr).not.toContain('s3cr3t')
  expect(code).toBe(2)
})

test.for<[what: string, args: string[], told: RegExp]>([
  ['a title that no test has', ['--only', 'nonsense'], /No test has 'nonsense' in its title/],
  ['a --restart that fails', ['--only', 'the data', '--restart', 'exit 3'], /the --restart command ended with 3/],
  ['a --restart that kills nobody', ['--only', 'the data', '--restart', 'true'], /has to kill it/],
])('%s ends it with 2', async ([, args, told]) => {
  const { code, stderr } = await checkOf(right, ...args)
  expect(stderr).toMatch(told)
  expect(code).toBe(2)
})
