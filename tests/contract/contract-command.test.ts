import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contractCommand } from '../../contract-check/command.ts'
import { freePort } from '../../scripts/free-port.ts'
import { type FaultyBackend, serveFaulty } from '../support/contract/faulty-backends.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { CLOSED_PORT } from '../support/server/closed-port.ts'
import { SELF_SIGNED } from '../support/server/self-signed.ts'
import { makeServerFolder } from '../support/server/server-process.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'contract-check', 'main.ts')

let server: TestApp
let origin: string
let folder: string
beforeAll(async () => {
  server = await buildTestApp()
  origin = await server.listen()
  folder = mkdtempSync(join(tmpdir(), 'contract-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** What the command prints, without colours, and tells. */
async function contract(args: readonly string[], interrupted = new AbortController().signal) {
  const printed: string[] = []
  const told: string[] = []
  const code = await contractCommand(args, {
    name: 'check',
    stdout: (text) => printed.push(stripVTControlCharacters(text)),
    stderr: (text) => told.push(text),
    interrupted,
  })
  // On a busy machine it also tells how far it is.
  const stderr = told.filter((line) => !/^\d+ of \d+ checks done; now /.test(line)).join('')
  return { code, stdout: printed.join(''), stderr }
}

async function contractWith(make: FaultyBackend['make'], ...args: string[]) {
  const backend = await serveFaulty(server.app, { make })
  const run = await contract([backend.host.href, ...args])
  await backend.close()
  return run
}

/** As `npm run contract -- …` runs it; `started` gets what presses Ctrl-C. */
async function contractProcess(args: readonly string[], started: (press: () => void) => void = () => {}) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  started(() => child.kill('SIGINT'))
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await closed
  return { code, stdout, stderr }
}

const HTML = { 'content-type': 'text/html', 'cache-control': 'no-store' }

const IN_HTML: FaultyBackend['make'] = () => async (call, right) => {
  const answer = await right(call)
  return answer.status < 400 ? answer : { ...answer, headers: HTML, body: '<h1 class="x">Oops & \u0007\u001b[31m</h1>' }
}

test('0: all held; the table is on standard output, without colours', async () => {
  const { code, stdout, stderr } = await contractProcess([origin, '--quick'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^subscribe {2}subscribed +✓ passed +a valid body is accepted$/m)
  expect(stdout).toMatch(/^ +declined +· skipped +not testable from outside$/m)
  expect(stdout).toMatch(/To delete it: email LIKE 'contract\+[0-9a-f]{8}\.%'/)
  expect(stdout).not.toContain('\x1b')
})

test('a report of any length comes whole over a pipe', async () => {
  const backend = await serveFaulty(server.app, {
    // Each break is shown with letters that take the most bytes.
    make: () => async (call, right) => {
      const answer = await right(call)
      return answer.status === 200 ? answer : { status: 500, headers: HTML, body: '名はまだ無い'.repeat(100) }
    },
  })
  // What a parent reads from is a socket, which holds more than a pipe.
  const args = [process.execPath, MAIN, backend.host.href, '--only', 'subscribe', '--runs', '0']
  const piped = spawn('sh', ['-c', '"$@" | cat', 'sh', ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const stdout = await text(piped.stdout)
  await backend.close()
  expect(Buffer.byteLength(stdout)).toBeGreaterThan(80_000)
  expect(stdout).toMatch(/and \d+ more; --json has all of them\n.*\d+ failed.*--seed \d+\.\n$/s)
})

test('1: broken; each break shows what was sent, what came and the contract', async () => {
  const { code, stdout } = await contractWith(IN_HTML, '--only', 'half a body')
  expect(code).toBe(1)
  expect(stdout).toContain('✗ failed')
  expect(stdout).toMatch(
    /sent {6}POST \/api\/subscribe\n {12}.*content-type: application\/json\n {12}.*\{"email":"contract\+/s,
  )
  expect(stdout).toContain('received  400 text/html\n            <h1 class="x">Oops & \\u{7}\\u{1b}[31m</h1>')
  expect(stdout).toContain('- expected  application/problem+json\n  + actual    text/html')
})

test('2: not reachable, and why, in two lines; files have every check', async () => {
  const host = `http://127.0.0.1:${CLOSED_PORT}/`
  const json = join(folder, 'unreachable.json')
  const { code, stdout } = await contract([host, '--json', json])
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: `${host} is not reachable: ECONNREFUSED.\nNothing was checked.\n`,
  })
  const { results } = JSON.parse(readFileSync(json, 'utf8'))
  expect(new Set(results.map(({ verdict }: { verdict: string }) => verdict))).toEqual(
    new Set(['unreachable', 'skipped']),
  )
})

test('2: no longer reachable; what was held before is in the table', async () => {
  const { code, stdout } = await contractWith(
    () => {
      let calls = 0
      return (call, right) => (calls++ < 3 ? right(call) : 'dropped')
    },
    '--only',
    'half a body',
  )
  expect(code).toBe(2)
  expect(stdout).toMatch(/^subscribe +not-json +✓ passed/m)
  expect(stdout).toMatch(/^contactUs +not-json +! unreachable +half a body is refused\n +is not reachable: ECONN/m)
})

test.each<[string, string, FaultyBackend['make']]>([
  ['pages', '404 text/html', () => () => ({ status: 404, headers: HTML, body: '<h1>Not found</h1>' })],
  [
    'redirects',
    '301 no Content-Type, Location: https://www.example.com/',
    () => () => ({ status: 301, headers: { location: 'https://www.example.com/' }, body: '' }),
  ],
  ['failures', '500 text/html', () => () => ({ status: 500, headers: HTML, body: '' })],
])('2: something else than the backend, which answers everything with %s', async (_, said, make) => {
  const { code, stdout } = await contractWith(make)
  expect(code).toBe(2)
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^http:\S+ does not look like the backend$/),
    `  POST /api/subscribe: ${said}`,
    `  POST /api/contact-us: ${said}.`,
    'Nothing was checked.',
    expect.stringContaining('--seed'),
    '',
  ])
})

test('an endless answer is read up to a bound', async () => {
  const endless = createServer((_, response) => {
    const pour = (error?: Error | null) => {
      if (!error) response.write('x'.repeat(65_536), pour)
    }
    pour()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const { code, stdout } = await contract([`http://127.0.0.1:${(endless.address() as AddressInfo).port}`])
  endless.close()
  expect(code).toBe(2)
  expect(stdout).toContain('is not reachable: an answer of more than 1 MiB.')
})

test.each([
  ['no host', [], 'host'],
  ['no address', ['nonsense'], 'Give a URL like https://their.host.'],
  ['another scheme', ['ftp://x'], 'Give a URL like https://their.host.'],
  ['an unknown flag', ['http://x', '--nonsense'], '--nonsense'],
  ['half a header', ['http://x', '--header', 'nonsense'], 'Name: value'],
  ['a number that is none', ['http://x', '--runs', 'many'], 'whole number'],
  ['a timeout beyond a day', ['http://x', '--timeout', '86401'], 'whole number'],
  ['a search that finds nothing', ['http://x', '--only', 'nonsense'], 'nonsense'],
  ['a file that can’t be written', ['http://x', '--json', '/nowhere/x.json'], '/nowhere/x.json'],
])('2: wrong usage, by %s', async (_, args, said) => {
  const { code, stdout, stderr } = await contract(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(said)
  expect(stderr).not.toContain('    at ')
})

test('--help has an example', async () => {
  const { code, stdout } = await contract(['--help'])
  expect(code).toBe(0)
  expect(stdout).toContain('check https://')
})

test('--only takes an operation, an outcome or a title', async () => {
  const titles = async (only: string) => (await contract([origin, '--only', only])).stdout.match(/✓/g)?.length
  expect(await titles('key-reused')).toBe(4)
  expect(await titles('HALF A BODY')).toBe(2)
})

test('--json and --junit write what a program reads', async () => {
  const [json, junit] = [join(folder, 'contract.json'), join(folder, 'contract.xml')]
  await contractWith(IN_HTML, '--only', 'contactUs', '--quick', '--json', json, '--junit', junit, '--seed', '7')
  const { seed, results } = JSON.parse(readFileSync(json, 'utf8'))
  expect(seed).toBe(7)
  expect(results).toContainEqual(
    expect.objectContaining({
      ...{ operation: 'contactUs', outcome: 'not-json', verdict: 'failed', milliseconds: expect.any(Number) },
      violations: [
        expect.objectContaining({ differences: [{ expected: 'application/problem+json', actual: 'text/html' }] }),
      ],
    }),
  )
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toMatch(
    /<testsuite name="contract" tests="13" failures="\d" errors="0" skipped="\d" time="\d+\.\d{3}" timestamp="[\d-]{10}T[\d:]{8}">/,
  )
  expect(xml).toMatch(/<testcase classname="contactUs\.not-json" name="half a body is refused" time="\d+\.\d{3}">/)
  expect(xml).toContain('&lt;h1 class=&quot;x&quot;&gt;Oops &amp; \\u{7}')
})

test('--header goes with every call, and its value is shown nowhere, even where an answer repeats it', async () => {
  const missing: string[] = []
  const files = ['json', 'junit'].map((name) => join(folder, `secret.${name}`))
  const { code, stdout } = await contractWith(
    () => async (call, right) => {
      const { authorization, cookie } = call.headers
      if (authorization !== 'Bearer s3cr3t-token' || !cookie?.includes('gateway=s3cr3t-session')) missing.push(call.url)
      const answer = await right(call)
      return answer.status < 400
        ? answer
        : { ...answer, body: `${authorization} ${cookie} s3cr3t-session s3cr3t-token` }
    },
    ...['--quick', '--header', 'Authorization: Bearer s3cr3t-token', '--header', 'Cookie: gateway=s3cr3t-session'],
    ...['--json', files[0] ?? '', '--junit', files[1] ?? ''],
  )
  expect({ code, missing }).toEqual({ code: 1, missing: [] })
  for (const text of [stdout, ...files.map((path) => readFileSync(path, 'utf8'))]) {
    expect(text).toContain('[secret]')
    expect(text).not.toContain('s3cr3t')
  }
})

test('a cookie of --header goes with those of the backend, also where the token is left out', async () => {
  const cookies: string[] = []
  await contractWith(
    () => async (call, right) => {
      cookies.push(call.headers.cookie ?? 'none')
      const answer = await right(call)
      return { ...answer, headers: { ...answer.headers, 'set-cookie': ['XSRF-TOKEN=token; Path=/', 'route=a'] } }
    },
    ...['--only', 'needs no cookie', '--header', 'Cookie: gateway=secret'],
  )
  const first = 'gateway=secret'
  expect(cookies).toEqual([first, `${first}; XSRF-TOKEN=token; route=a`, ...Array(2).fill(`${first}; route=a`)])
})

test('2: a certificate that nobody here knows; it tells what helps', async () => {
  const https = createHttpsServer(SELF_SIGNED).listen(0, '127.0.0.1')
  await once(https, 'listening')
  const { code, stdout } = await contract([`https://127.0.0.1:${(https.address() as AddressInfo).port}`])
  https.close()
  expect(code).toBe(2)
  expect(stdout).toMatch(/is not reachable: DEPTH_ZERO_SELF_SIGNED_CERT. Set NODE_EXTRA_CA_CERTS to /)
})

describe('--restart', () => {
  /** A server, and a command that kills it and starts it again, in between with something of its operator's. */
  async function killable(inBetween: (folder: string) => void) {
    const place = makeServerFolder()
    const port = await freePort()
    let running = await place.start({ PORT: `${port}` })
    const control = createServer(async (_, response) => {
      running.signal('SIGKILL')
      await running.exited
      inBetween(place.folder)
      running = await place.start({ PORT: `${port}` })
      response.end()
    }).listen(0, '127.0.0.1')
    await once(control, 'listening')
    onTestFinished(async () => {
      control.close()
      await place.remove()
    })
    const fetches = `fetch('http://127.0.0.1:${(control.address() as AddressInfo).port}')`
    return [`http://127.0.0.1:${port}`, '--only', 'durable', '--restart', `"${process.execPath}" -e "${fetches}"`]
  }

  test('finds what was acknowledged', async () => {
    const { code, stdout } = await contract(await killable(() => {}))
    expect(stdout.match(/^\w+ +durable +✓ passed .*\n +\d{2,} acknowledged, [1-9]\d* calls failed/gm)).toHaveLength(2)
    expect(stdout).toContain('- that what is acknowledged outlives a crash of the machine\n')
    expect(code).toBe(0)
  })

  test('misses what is lost', async () => {
    const args = await killable((folder) => rmSync(join(folder, 'data'), { recursive: true }))
    const { code, stdout } = await contract([...args, '--only', 'contactUs durable'])
    expect(stdout).toMatch(/- expected {2}all \d+ acknowledged are still there\n {2}\+ actual {4}\d{2,} are lost/)
    expect(code).toBe(1)
  })

  test('is no green where the command fails', async () => {
    const { code, stdout } = await contract([origin, '--only', 'durable', '--restart', 'exit 3'])
    expect(stdout).toMatch(/– not run .*\n +the --restart command exited with 3/)
    expect(code).toBe(2)
  })
})

test('--budget warns of late answers, and violations nothing', async () => {
  const { code, stdout } = await contract([origin, '--only', 'half a body', '--budget', '1'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/Warning: \d+ of 4 answers took over 1 ms, the slowest \d+ ms\./)
})

test('calls that are limited are waited for, and the limit itself is checked', async () => {
  const { code, stdout, stderr } = await contractWith(
    () => {
      let calls = 0
      const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '1' }
      const body = '{"title":"Too Many Requests","status":429}'
      return (call, right) => (calls++ === 2 ? { status: 429, headers, body } : right(call))
    },
    ...['--only', 'subscribe', '--quick'],
  )
  expect(stdout).not.toContain('✗')
  expect(stdout).toMatch(/^ +too-many-requests +✓ passed +a rate limit says how long to wait$/m)
  expect(code).toBe(0)
  expect(stderr).toMatch(/^0 of \d+ checks done; \/api\/subscribe is rate limited for 1 s\n$/)
})

test('--timeout ends the whole with what is known so far', async () => {
  const { code, stdout } = await contractWith(
    () => (call, right) => (call.body.includes('no address at all') ? new Promise(() => {}) : right(call)),
    ...['--quick', '--timeout', '1'],
  )
  expect(code).toBe(2)
  expect(stdout).toContain('✓ passed')
  expect(stdout).toContain('– not run')
  expect(stdout).toContain('Stopped before its end: 1 s are over; --timeout gives more.')
})

test('Ctrl-C ends at once with what is known so far', async () => {
  let press = () => {}
  const backend = await serveFaulty(server.app, {
    make: () => (call, right) => {
      if (!call.body.includes('no address at all')) return right(call)
      press()
      return new Promise(() => {})
    },
  })
  const json = join(folder, 'interrupted.json')
  const { code, stdout } = await contractProcess([backend.host.href, '--quick', '--json', json], (kill) => {
    press = kill
  })
  await backend.close()
  expect(code).toBe(130)
  expect(stdout).toContain('✓ passed')
  expect(stdout).toContain('Stopped before its end: interrupted.')
  expect(JSON.parse(readFileSync(json, 'utf8')).results).toContainEqual(expect.objectContaining({ verdict: 'not run' }))
})
