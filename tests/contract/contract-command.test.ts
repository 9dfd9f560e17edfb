import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { contractCommand } from '../../contract/check/command.ts'
import * as serve from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const { changes, counter, problem, refuses, says, serveFaulty, withHeaders } = serve
type Handler = serve.Handler

const folder = mkdtempSync(join(tmpdir(), 'contract-'))
const [json, junit] = [join(folder, 'contract.json'), join(folder, 'contract.xml')]
const FILES = ['--json', json, '--junit', junit]
const written = () => ({ results: JSON.parse(readFileSync(json, 'utf8')).results, xml: readFileSync(junit, 'utf8') })

const server = await buildTestApp()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Its exit code, and what it says, without colours. */
async function contract(...args: string[]) {
  let said = ''
  const say = (text: string) => {
    // On a busy machine it also tells how far it is.
    if (!/^\d+ of \d+ checks done; now /.test(text)) said += stripVTControlCharacters(text)
  }
  const interrupted = new AbortController().signal
  return { code: await contractCommand(args, { name: 'check', stdout: say, stderr: say, interrupted }), said }
}

/** A test that holds what the command says of a backend, its exit code, and that the files are whole. */
const told =
  (code: number, only: string, handler: Handler, said: RegExp, args: string[] = []) =>
  async () => {
    const host = await serveFaulty(server.app, handler)
    const checked = await contract(host, '--only', only, ...FILES, ...args)
    expect(checked.said).toMatch(said)
    expect(checked.code).toBe(code)
    expect(written().xml).toMatch(
      code === 2 ? /<error message="[\s\S]*<\/testsuite>\n$/ : / errors="0"[\s\S]*<\/testsuite>\n$/,
    )
    expect(written().results.length).toBeGreaterThan(0)
  }

const drops: serve.Act = (socket) => socket.destroy()
function dropsAfter(most: number): Handler {
  const nth = counter()
  return (call, right) => (nth('call') > most ? drops : right(call))
}
const HTML = { 'content-type': 'text/html', 'cache-control': 'no-store' }
const elsewhere: serve.Answer = { status: 301, headers: { location: '/x' }, body: '' }
const isOther: Handler = ({ url }) =>
  url.endsWith('subscribe') ? elsewhere : { ...elsewhere, status: 500, headers: HTML }
const OTHER = /: 301 no Content-Type, Location: \/x\n.*500 text\/html\n.*--origin.*\nNothing was checked/s
test(
  'that nobody answers ends it with 2',
  told(2, '', dropsAfter(0), /^\S+ the host is not reachable: ECONNRESET\.\nNothing was checked\.\n$/),
)
test(
  'that nobody answers any more ends it with 2',
  told(2, 'not-json', dropsAfter(40), /✓ [\s\S]*– [\s\S]*: the host is not reachable: /),
)
test('that another service answers ends it with 2', told(2, '', isOther, OTHER))

const hangs: Handler = (call, right) => (call.text.includes('"none"') ? () => {} : right(call))
test(
  'that its time is over ends it with 2',
  told(2, '', hangs, /: 1 s are over; now .*; --timeout gives more\./, ['--timeout', '1']),
)

const EXITED = /: the --restart command exited with 3\.\nNothing was checked/
test('a restart that fails ends it with 2', told(2, 'durable', dropsAfter(999), EXITED, ['--restart', 'exit 3']))

function limitsOnce(headers: serve.Answer['headers']) {
  const nth = counter()
  // A backend may close the connection with it.
  const limit = problem(429, { ...headers, connection: 'close' })
  return changes((_, { method }) => (method === 'PUT' && nth(method) === 1 ? limit : {}))
}
const WAITED =
  /^0 of 1 checks done; \/api\/subscribe is rate limited for 1 s\nsubscribe\n {2}✓ (?![\s\S]*how calls are limited)/
test(
  'a rate limit is waited for, amid a connection too',
  told(0, 'be subscribed one', limitsOnce({ 'retry-after': '1' }), WAITED),
)
test(
  'a rate limit that does not say how long to wait is a failure',
  told(1, 'be subscribed one', limitsOnce({}), /expected {2}the header Retry-After/),
)

const breaksCheck: Handler = (call, right) => {
  // Where it makes its first key.
  const random = vi.spyOn(crypto, 'randomUUID').mockThrow(new TypeError('no luck'))
  onTestFinished(() => void random.mockRestore())
  return call.key === 'no UUID' ? problem(422) : right(call)
}
const BROKEN =
  /\n1 failed, \d+ not run; .*\n.*: an error in the check itself, .*; now contactUs .*: TypeError: no luck\.\n/
test('an error in the check itself is told in one line, and ends it with 2', told(2, 'key', breaksCheck, BROKEN))

/** In a few lines and in the words of the contract, and nothing else. */
const ONE_CAUSE =
  /\n\n✗ \d+ checks fail for one cause: .*\n(?: .*\n){4,12} {2}- expected {2}the header Cache-Control\n.*\n {2}contract {2}Every answer.*\n {2}and \d+ more; --json has all of them\n\n\d+ failed[,;] /
const uncached = withHeaders(() => ({ 'cache-control': [] }))
test('a header missing everywhere is told once', told(1, '', uncached, ONE_CAUSE))
const forgets = refuses(({ key, msg }) => /[A-F]/.test(key) && msg === 'Another', 500)
const FIRST_SCREEN =
  /^(.*\n){2,22} {6}another enquiry with the same key .*\n[\s\S]* first\n {2}sent [\s\S]* then\n {2}sent [\s\S]*- expected {2}422\n[\s\S]*\nTo delete it: .*\nNot checked:\n(- .*\n)+$/
test(
  'one fault is on the first screen, with both calls that it needs, and what was not checked at the end',
  told(1, '', forgets, FIRST_SCREEN),
)
const nth = counter()
const races = says('exists":true', 'exists":false', ({ email }) => nth(email) > 2)
const RACE =
  /\n {2}10 calls left at once, [\s\S]*\n {2}all got {3}[\s\S]*9 x 200 .*false}\n[\s\S]*- expected .* once of 10 times\n.*9 times/
test('a race shows what each call got', told(1, 'of 10 equal', races, RACE))
const refusesPage = refuses(({ headers }) => 'origin' in headers, 403)
test(
  'where the own page is refused, a hint says what helps',
  told(1, 'as browsers', refusesPage, /hint .* --origin https/),
)

const cached = withHeaders(() => ({ 'cache-control': 'no-cache' }))
const SHOWN = /\n {2}received {2}.*\n(?: {12}.*\n)*? {12}cache-control: no-cache\n/
test('where it is at fault, an answer is shown with its header', told(1, 'a query', cached, SHOWN))

test('terminal, JSON and JUnit show the call, the answer and the contract, but no value of --header, which goes with every call', async () => {
  const seen: string[] = []
  const host = await serveFaulty(
    server.app,
    changes(({ status }, { headers: { authorization, cookie } }) => {
      seen.push(`${authorization}; ${cookie}`)
      // An answer may repeat it.
      return status === 403 ? { headers: HTML, body: `<b class="x">&\u0007\u001b[31m ${authorization} ${cookie}` } : {}
    }),
  )
  const secrets = ['--header', 'Authorization: Bearer s3cr3t-token', '--header', 'Cookie: gateway=s3cr3t-session']
  const { code, said } = await contract(host, '--only', 'CONTACTUS forbidden a token', ...FILES, ...secrets)
  expect(code).toBe(1)
  for (const line of seen) expect(line).toMatch(/^Bearer s3cr3t-token; gateway=s3cr3t-session(; .*XSRF-TOKEN=.*)?$/)
  expect(said).toMatch(
    /sent {6}POST \/api\/contact-us\n {12}.*content-type: application\/json\n {12}.*"email":"contract\+/s,
  )
  expect(said).toContain('received  403 text/html\n            <b class="x">&\\u{7}\\u{1b}[31m [secret] [secret]')
  expect(said).toMatch(
    /- expected {2}application\/problem\+json\n {2}\+ actual {4}text\/html\n {2}contract {2}A backend that/,
  )
  const { results, xml } = written()
  const differences = [{ expected: 'application/problem+json', actual: 'text/html' }]
  const violations = expect.arrayContaining([expect.objectContaining({ differences })])
  expect(results).toMatchObject([{ operation: 'contactUs', outcome: 'forbidden', verdict: 'failed', violations }])
  expect(xml).toMatch(
    /<testsuite name="contract" tests="1" failures="1" errors="0" skipped="0" time="\d+\.\d{3}" timestamp="/,
  )
  expect(xml).toMatch(
    /<testcase classname="contactUs\.forbidden" name="a token that is wrong or missing is refused" time="\d/,
  )
  expect(xml).toContain('&lt;b class=&quot;x&quot;&gt;&amp;\\u{7}')
  for (const shown of [said, xml, JSON.stringify(results)]) expect(shown).not.toContain('s3cr3t')
})

test.each([
  ['ftp://x', 'Give a URL like https://their.host.'],
  ['http://x/?a=b', "Leave out what follows '?' or '#'."],
  ['http://me:secret@x', 'Leave user and password out of the URL'],
  ['http://x --header nonsense', "Give 'Name: value'."],
  ['http://x --timeout 86401', 'Give a whole number from 1 to 86400.'],
  ['http://x --only nonsense', "No check contains 'nonsense'"],
  ['http://x --json /nowhere/x.json', 'Cannot write to it.'],
  ['http://x --nonsense', "unknown option '--nonsense'"],
])('wrong usage is told in one line and ends it with 2: %s', async (args, why) => {
  const { code, said } = await contract(...args.split(' '))
  expect(code).toBe(2)
  expect(said).toMatch(/^.+\n$/)
  expect(said).toContain(why)
  expect(said).not.toContain('secret')
})

/** The command as a process of its own. */
const spawned = (args: string, rest = '') =>
  spawn('sh', ['-c', `exec ${process.execPath} contract/check/main.ts ${args} ${rest}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

test('a report of any length comes whole over a pipe', async () => {
  // Each violation shows five values, of letters that take the most bytes.
  const nth = counter()
  const odd = () => ({ odd: `${nth('')}${'名はまだ無い'.repeat(100)}` })
  const body = () => JSON.stringify({ title: odd(), status: odd(), type: odd(), detail: odd(), instance: odd() })
  const host = await serveFaulty(
    server.app,
    changes((answer) => (answer.status < 400 ? {} : { body: body() })),
  )
  // What a parent reads from is a socket, which holds more than a pipe.
  const stdout = await text(spawned(`${host} --only refused`, '| cat').stdout)
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(65_536)
  expect(stdout).toMatch(/\d+ failed.*- the \d+ checks that --only leaves out\n$/s)
})

test('Ctrl-C ends it with 130, and with what is known so far, without colours where nobody sees them', async () => {
  const host = await serveFaulty(server.app, (call, right) => {
    if (call.text.includes('"none"')) child.kill('SIGINT')
    return hangs(call, right)
  })
  const child = spawned(`${host} --json ${json}`)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(code).toBe(130)
  expect(stderr).not.toContain('    at ')
  expect(stdout).toMatch(/, 6 passed; .*Stopped before its end: interrupted\.\n/s)
  expect(stdout).not.toContain('\x1b')
  expect(written().results).toContainEqual(expect.objectContaining({ verdict: 'not run' }))
})
