import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { chromium } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/chromium.ts'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { CLOSED_PORT } from '../support/closed-port.ts'
import { listenWrongly, type WrongBackend } from '../support/wrong-backends.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'contract-check', 'main.ts')

let server: TestApp
let origin: string
let folder: string
beforeAll(async () => {
  server = await buildTestApp()
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  folder = mkdtempSync(join(tmpdir(), 'contract-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** As `npm run contract -- …` runs it; `started` gets the process. */
async function contract(args: readonly string[], started: (kill: () => void) => unknown = () => {}) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  started(() => child.kill('SIGINT'))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  // On a busy machine it also tells how far it is.
  return { code, stdout, stderr: stderr.replaceAll(/^\d+ of \d+ checks done\n/gm, '') }
}

async function contractWith(make: WrongBackend['make'], ...args: string[]) {
  const backend = await listenWrongly(server.app, { make })
  const run = await contract([backend.host.href, ...args])
  await backend.close()
  return run
}

const IN_HTML: WrongBackend['make'] = () => async (call, right) => {
  const answer = await right(call)
  const headers = { 'content-type': 'text/html' }
  return answer.status < 400 ? answer : { ...answer, headers, body: '<h1 class="x">Oops & \u0007\u001b[31m</h1>' }
}

test('0: all held; the table is on standard output, without colours', async () => {
  const { code, stdout, stderr } = await contract([origin, '--quick'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^subscribe {2}subscribed +✓ held +a valid body is taken$/m)
  expect(stdout).toMatch(/^ +declined +· +can’t be caused from outside$/m)
  expect(stdout).toMatch(/delete what is LIKE 'contract\+[0-9a-f]{8}\.%'/)
  expect(stdout).not.toContain('\x1b')
})

test('1: broken; each break shows what was sent, what came and the contract', async () => {
  const { code, stdout } = await contractWith(IN_HTML, '--only', 'half a body')
  expect(code).toBe(1)
  expect(stdout).toContain('✗ broken')
  expect(stdout).toMatch(
    /sent {3}POST \/api\/subscribe\n {9}.*content-type: application\/json\n {9}\{"email":"contract\+/s,
  )
  expect(stdout).toContain('came   400 text/html\n         <h1 class="x">Oops & \\u{7}\\u{1b}[31m</h1>')
  expect(stdout).toContain('- contract  application/problem+json\n  + came      text/html')
  expect(stdout).not.toContain('What it stored')
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
    new Set(['not reachable', 'not from outside']),
  )
})

test('2: no longer reachable; what was held before is in the table', async () => {
  const { code, stdout } = await contractWith(
    () => {
      let calls = 0
      return (call, right) => (calls++ < 2 ? right(call) : 'dropped')
    },
    '--only',
    'half a body',
  )
  expect(code).toBe(2)
  expect(stdout).toMatch(/^subscribe +not-json +✓ held/m)
  expect(stdout).toMatch(/^contactUs +not-json +! not reachable +half a body is refused\n +ECONNRESET$/m)
})

test.each([
  ['no host', [], 'host'],
  ['no address', ['nonsense'], 'Give an address like https://their.host.'],
  ['another scheme', ['ftp://x'], 'Give an address like https://their.host.'],
  ['an unknown flag', ['http://x', '--nonsense'], '--nonsense'],
  ['half a header', ['http://x', '--header', 'nonsense'], 'Name: value'],
  ['a number that is none', ['http://x', '--runs', 'many'], 'whole number'],
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
  expect(stdout).toContain('npm run contract -- https://')
})

test('--only takes an operation, an outcome or a title', async () => {
  const titles = async (only: string) => (await contract([origin, '--only', only])).stdout.match(/✓/g)?.length
  expect(await titles('key-reused')).toBe(4)
  expect(await titles('HALF A BODY')).toBe(2)
})

test('--json and --junit write what a program reads', async () => {
  const [json, junit] = [join(folder, 'contract.json'), join(folder, 'contract.xml')]
  await contractWith(IN_HTML, '--only', 'half a body', '--json', json, '--junit', junit, '--seed', '7')
  const written = JSON.parse(readFileSync(json, 'utf8'))
  expect(written).toMatchObject({ seed: 7, results: [{ operation: 'subscribe', verdict: 'broken' }, {}] })
  expect(written.results[0].breaks[0].differences).toEqual([
    { contract: 'application/problem+json', came: 'text/html' },
  ])
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS })
  try {
    const tab = await browser.newPage()
    const read = await tab.evaluate(
      (xml) => {
        const document = new DOMParser().parseFromString(xml, 'application/xml')
        return {
          error: document.querySelector('parsererror')?.textContent,
          cases: [...document.querySelectorAll('testcase')].map((it) => it.getAttribute('classname')),
          failure: document.querySelector('failure')?.textContent,
        }
      },
      readFileSync(junit, 'utf8'),
    )
    expect(read.error).toBeUndefined()
    expect(read.cases).toEqual(['subscribe.not-json', 'contactUs.not-json'])
    expect(read.failure).toContain('<h1 class="x">Oops & \\u{7}')
  } finally {
    await browser.close()
  }
})

test('--header goes with every call, and is not shown', async () => {
  const missing: string[] = []
  const { code, stdout } = await contractWith(
    () => async (call, right) => {
      if (call.headers.authorization !== 'Bearer secret') missing.push(call.url)
      return { ...(await right(call)), status: 418 }
    },
    ...['--quick', '--header', 'Authorization: Bearer secret', '--header', 'X-Other: 1'],
  )
  expect({ code, missing }).toEqual({ code: 1, missing: [] })
  expect(stdout).not.toContain('secret')
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
  expect(cookies).toEqual(['gateway=secret', ...Array(2).fill('gateway=secret; route=a')])
})

test('--budget warns of late answers, and breaks nothing', async () => {
  const { code, stdout } = await contract([origin, '--only', 'half a body', '--budget', '1'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/Warning: \d+ of 3 answers took over 1 ms, the slowest \d+ ms\./)
})

test('a wait for the limit is told on standard error', async () => {
  const { code, stdout, stderr } = await contractWith(
    () => {
      let calls = 0
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '1' }
      const body = '{"title":"Too Many Requests","status":429}'
      return (call, right) => (calls++ === 1 ? { status: 429, headers, body } : right(call))
    },
    '--only',
    'half a body',
  )
  expect(stdout).not.toContain('✗')
  expect(code).toBe(0)
  expect(stderr).toBe('0 of 2 checks done; /api/subscribe takes more in 1 s\n')
})

test('Ctrl-C ends at once with what is known so far', async () => {
  let press = () => {}
  const json = join(folder, 'interrupted.json')
  const backend = await listenWrongly(server.app, {
    make: () => async (call, right) => {
      if (call.body.includes('no address at all')) press()
      return call.body.includes('no address at all') ? new Promise(() => {}) : right(call)
    },
  })
  const { code, stdout } = await contract([backend.host.href, '--quick', '--json', json], (kill) => {
    press = kill
  })
  expect(code).toBe(130)
  expect(stdout).toContain('✓ held')
  expect(stdout).toContain('– not tried')
  expect(existsSync(json)).toBe(true)
  await backend.close()
})
