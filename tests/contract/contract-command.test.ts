import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { contractCommand } from '../../contract/check/command.ts'
import { type Handler, problem, serveFaulty } from '../support/contract/serve-faulty.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'contract', 'check', 'main.ts')

const folder = mkdtempSync(join(tmpdir(), 'contract-'))
const [json, junit] = [join(folder, 'contract.json'), join(folder, 'contract.xml')]

const server = await buildTestApp()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** What the command prints, without colours, and tells. */
async function contract(...args: string[]) {
  const printed: string[] = []
  const told: string[] = []
  const code = await contractCommand(args, {
    name: 'check',
    stdout: (text) => printed.push(stripVTControlCharacters(text)),
    stderr: (text) => told.push(text),
    interrupted: new AbortController().signal,
  })
  // On a busy machine it also tells how far it is.
  const stderr = told.filter((line) => !/^\d+ of \d+ checks done; now /.test(line)).join('')
  return { code, stdout: printed.join(''), stderr }
}

const contractWith = async (handler: Handler, ...args: string[]) =>
  contract(await serveFaulty(server.app, handler), ...args)

const HTML = { 'content-type': 'text/html', 'cache-control': 'no-store' }
const IN_HTML: Handler = async (call, right) => {
  const answer = await right(call)
  return answer.status < 400 ? answer : { ...answer, headers: HTML, body: '<h1 class="x">Oops & \u0007\u001b[31m</h1>' }
}

test('a report of any length comes whole over a pipe', async () => {
  // Each violation is shown with letters that take the most bytes.
  let calls = 0
  const host = await serveFaulty(server.app, async (call, right) => {
    const answer = await right(call)
    const headers = { ...HTML, 'content-type': `text/html; call=${calls++}` }
    return answer.status === 200 ? answer : { status: 500, headers, body: '名はまだ無い'.repeat(100) }
  })
  // What a parent reads from is a socket, which holds more than a pipe.
  const args = [process.execPath, MAIN, host, '--only', 'contactUs invalid', '--runs', '0']
  const piped = spawn('sh', ['-c', '"$@" | cat', 'sh', ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const stdout = await text(piped.stdout)
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(65_536)
  expect(stdout).toMatch(/\d+ failed.*--seed \d+\.\n$/s)
})

test('1: broken; terminal, JSON and JUnit show what was sent, what came and the contract; --only takes any case', async () => {
  const files = ['--json', json, '--junit', junit]
  const { code, stdout } = await contractWith(IN_HTML, '--only', 'CONTACTUS not-json half', ...files, '--seed', '7')
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /sent {6}POST \/api\/contact-us\n {12}.*content-type: application\/json\n {12}.*"email":"contract\+/s,
  )
  expect(stdout).toContain('received  400 text/html\n            <h1 class="x">Oops & \\u{7}\\u{1b}[31m</h1>')
  expect(stdout).toContain('- expected  application/problem+json\n  + actual    text/html')
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    seed: 7,
    results: [
      {
        ...{ operation: 'contactUs', outcome: 'not-json', verdict: 'failed', milliseconds: expect.any(Number) },
        violations: [{ differences: [{ expected: 'application/problem+json', actual: 'text/html' }] }],
      },
    ],
  })
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toMatch(
    /<testsuite name="contract" tests="1" failures="1" errors="0" skipped="0" time="\d+\.\d{3}" timestamp="[\d-]{10}T[\d:]{8}">/,
  )
  expect(xml).toMatch(/<testcase classname="contactUs\.not-json" name="half a body is refused" time="\d+\.\d{3}">/)
  expect(xml).toContain('&lt;h1 class=&quot;x&quot;&gt;Oops &amp; \\u{7}')
})

/** Drops all calls but so many. */
function dropsAfter(count: number): Handler {
  let calls = 0
  return (call, right) => (calls++ < count ? right(call) : 'dropped')
}
const HANGS: Handler = (call, right) => (call.text.includes('no address') ? new Promise(() => {}) : right(call))
const OTHER_SERVICE: Handler = ({ url }) =>
  url.endsWith('subscribe')
    ? { status: 301, headers: { location: '/x' }, body: '' }
    : { status: 500, headers: HTML, body: '' }

test.each<[string, Handler, string, RegExp]>([
  ['nobody answers', dropsAfter(0), '--quick', /^\S+ is not reachable: ECONNRESET\.\nNothing was checked\.\n$/],
  ['nobody answers any more', dropsAfter(3), '--only not-json', /✓ passed.*! unreachable.* is not reachable: ECONN/s],
  [
    'another service answers',
    OTHER_SERVICE,
    '--quick',
    /: 301 no Content-Type, Location: \/x\n.*500 text\/html\n.*--origin/,
  ],
  ['--restart fails', IN_HTML, '--only durable --restart false', /– not run .*\n +the --restart command exited with 1/],
  [
    'its time is over',
    HANGS,
    '--quick --timeout 1',
    /– not run.*Stopped before its end: 1 s are over; --timeout gives more/s,
  ],
])('2: incomplete, because %s; what was not checked is no green', async (_, handler, args, said) => {
  const { code, stdout } = await contractWith(handler, ...args.split(' '), '--junit', junit)
  expect(code).toBe(2)
  expect(stdout).toMatch(said)
  expect(readFileSync(junit, 'utf8')).toMatch(/ errors="[1-9]\d*".*<error message="/s)
})

test('one cause that breaks every check is said once, first, in the words of the contract', async () => {
  const { code, stdout } = await contractWith(
    async (call, right) => {
      const { headers, ...answer } = await right(call)
      return { ...answer, headers: { ...headers, 'cache-control': [] } }
    },
    ...['--only', 'subscribe', '--quick'],
  )
  expect(code).toBe(1)
  expect(stdout.match(/expected {2}the header Cache-Control/g)).toHaveLength(1)
  expect(stdout).toMatch(
    /✗ \d+ checks fail alike.*\+ actual {4}none\n {2}contract {2}Every answer carries it, with the directive `no-store`/s,
  )
})

test('a failure that needs two calls shows both; where the own page is refused, a hint says what helps', async () => {
  const forgets = await contractWith(
    (call, right) => right({ ...call, headers: { ...call.headers, 'idempotency-key': crypto.randomUUID() } }),
    ...['--only', 'key-reused another enquiry'],
  )
  expect(forgets.stdout).toMatch(/ first\n {2}sent .* then\n {2}sent /s)
  const refuses = await contractWith(
    (call, right) => ('origin' in call.headers ? problem(403) : right(call)),
    ...['--only', 'subscribe subscribed a call as browsers'],
  )
  expect(refuses.stdout).toMatch(/hint .* --origin https/)
})

test.each([
  ['ftp://x', 'Give a URL like https://their.host.'],
  ['http://x/?a=b', "Leave out what follows '?' or '#'."],
  ['http://x/%zz', "Write '%' in the path as '%25'."],
  ['http://%zz:secret@x', /^Write '%' .* as '%25'\.\n$/],
  ['http://x --header nonsense', 'Name: value'],
  ['http://x --runs 1.5', 'whole number'],
  ['http://x --timeout 86401', 'whole number'],
  ['http://x --only nonsense', 'nonsense'],
  ['http://x --json /nowhere/x.json', '/nowhere/x.json'],
])('2: wrong usage: %s', async (args, said) => {
  const { code, stdout, stderr } = await contract(...args.split(' '))
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(said)
  expect(stderr).not.toContain('    at ')
})

test('--header goes with every call, beside the cookies of the backend, and its value is shown nowhere', async () => {
  const seen: string[] = []
  const { code, stdout } = await contractWith(
    async (call, right) => {
      const { authorization, cookie } = call.headers
      seen.push(`${authorization}; ${cookie}`)
      const answer = await right(call)
      const headers = { ...answer.headers, 'set-cookie': ['XSRF-TOKEN=token; Path=/', 'route=a'] }
      // An answer may repeat it.
      const body = `${authorization} ${cookie} s3cr3t-session s3cr3t-token`
      return call.headers['x-xsrf-token'] ? { ...answer, headers } : { ...answer, status: 500, headers, body }
    },
    // This check sends no token, but all other cookies.
    ...['--only', 'needs no cookie', '--json', json, '--junit', junit],
    ...['--header', 'Authorization: Bearer s3cr3t-token', '--header', 'Cookie: gateway=s3cr3t-session'],
  )
  expect(code).toBe(1)
  const [first, ...others] = seen
  expect(first).toBe('Bearer s3cr3t-token; gateway=s3cr3t-session')
  for (const line of others) expect(line).toMatch(/^Bearer s3cr3t-token; gateway=s3cr3t-session; .*route=a/)
  for (const text of [stdout, ...[json, junit].map((path) => readFileSync(path, 'utf8'))]) {
    expect(text).toContain('[secret]')
    expect(text).not.toContain('s3cr3t')
  }
})

test('--restart finds what was acknowledged, and misses what is lost', async () => {
  const alive = join(folder, 'alive')
  writeFileSync(alive, '')
  let dropped = 0
  // The command takes the file away, and is over when it is back, after a few calls that were dropped.
  const handler: Handler = async (call, right) => {
    if (existsSync(alive)) return right(call)
    if (++dropped % 5 === 0) {
      await server.db.run((db) => db.deleteFrom('enquiries').execute())
      writeFileSync(alive, '')
    }
    return 'dropped'
  }
  const command = `rm "${alive}"; until [ -e "${alive}" ]; do :; done`
  const { code, stdout } = await contractWith(handler, '--only', 'durable', '--restart', command)
  expect(stdout).toMatch(/^subscribe +durable +✓ passed .*\n +[1-9]\d* acknowledged, [1-9]\d* calls failed/m)
  expect(stdout).toMatch(/^contactUs +durable +✗ failed /m)
  expect(stdout).toMatch(/- expected {2}all \d+ acknowledged are still there\n {2}\+ actual {4}[1-9]\d* are lost/)
  expect(stdout).toContain('- that what is acknowledged outlives a crash of the machine\n')
  expect(code).toBe(1)
})

test.each([
  [{ 'retry-after': '1' }, '✓ passed', 0],
  [{}, '✗ failed', 1],
])(
  'a rate limit is waited for, amid a connection too, and checked: with %j it has %s',
  async (headers, verdict, code) => {
    let [before, limits] = ['', 0]
    const checked = await contractWith(
      (call, right) => {
        const isRepeated = call.text !== '' && call.text === before
        before = call.text
        // A backend may close the connection with it.
        return isRepeated && limits++ === 0 ? problem(429, { ...headers, connection: 'close' }) : right(call)
      },
      ...['--only', 'subscribe', '--quick'],
    )
    expect(checked).toMatchObject({ code, stderr: '1 of 13 checks done; /api/subscribe is rate limited for 1 s\n' })
    expect(checked.stdout).toMatch(RegExp(`^ +too-many-requests +${verdict} +a rate limit says how long to wait$`, 'm'))
  },
)

test('Ctrl-C ends at once with what is known so far, without colours where nobody sees them', async () => {
  const host = await serveFaulty(server.app, (call, right) => {
    if (call.text.includes('no address')) child.kill('SIGINT')
    return HANGS(call, right)
  })
  const child = spawn(process.execPath, [MAIN, host, '--quick', '--json', json], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect(code).toBe(130)
  expect(stderr).not.toContain('    at ')
  expect(stdout).toMatch(/✓ passed.*Stopped before its end: interrupted\./s)
  expect(stdout).not.toContain('\x1b')
  expect(JSON.parse(readFileSync(json, 'utf8')).results).toContainEqual(expect.objectContaining({ verdict: 'not run' }))
})
