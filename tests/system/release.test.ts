import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { post } from '../support/server/post.ts'
import { query } from '../support/server/postgres.ts'
import { BARE, makeRelease, unpackedRelease } from '../support/server/release.ts'
import { until } from '../support/until.ts'

/** A user that no program has, as systemd makes one for the servers. */
const USER = 64_123

const opt = inject('opt')
let release: string
let current: string

// npm takes its time on a busy machine.
beforeAll(() => {
  release = unpackedRelease()
  current = join(opt, release)
}, 1_200_000)

/** The indented lines of the README from one on that begins so, as they stand there. */
function commands(beginning: string, count: number): string[] {
  const lines = readFileSync('deploy/README.md', 'utf8')
    .split('\n')
    .map((line) => line.trimStart())
  const at = lines.findIndex((line) => line.startsWith(beginning))
  return lines.slice(at, at + count)
}

/** Runs the server of the release as its unit does, as a user of its own, until the end of the test. */
async function start(env: NodeJS.ProcessEnv) {
  const child = spawn(join(current, 'bin/node'), ['server/main.ts'], {
    cwd: current,
    env: { ...BARE, NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', ...env },
    uid: USER,
    gid: USER,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  onTestFinished(async () => void (await stop('SIGKILL')))
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await until(() => said.includes('Data in '))
  const [, origin = ''] = /Listening on (\S+)/.exec(said) ?? []
  const [, metrics = ''] = /Metrics on (\S+)/.exec(said) ?? []
  return { stop, origin, metrics }
}

/** A folder of the servers' user alone. */
function makeStateFolder(name: string): string {
  const folder = join(opt, name)
  mkdirSync(folder, { mode: 0o700 })
  execFileSync('chown', [`${USER}`, folder])
  return folder
}

/** Runs a program of the release from a folder of no importance, without any variable but these. */
const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv, user = 0) =>
  spawnSync(join(opt, program), args, { cwd: '/', env: { ...BARE, ...env }, uid: user, gid: user, encoding: 'utf8' })

/** Runs `leads` by its link, with the settings of a file. */
const leads = (settings: string, ...args: string[]) => run('leads', args, { LEADS_ENVIRONMENT_FILE: settings })

function writeSettings(name: string, ...lines: string[]): string {
  const file = join(opt, name)
  writeFileSync(file, `# Settings\n\n${lines.join('\n')}\n`, { mode: 0o600 })
  return file
}

test('a release needs an origin, names itself, has the page of its commit, and nothing that only the page or a developer needs', () => {
  expect(makeRelease({})).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/PUBLIC_ORIGIN.*\n$/) })
  const { version } = JSON.parse(readFileSync(join(current, 'package.json'), 'utf8'))
  expect(version).toBe(`1.0.0+${release.replace('launching-soon-', '')}`)
  expect(leads('', '--version').stdout).toBe(`${version}\n`)
  expect(readFileSync(join(current, 'dist/index.html'), 'utf8')).not.toContain('of another commit')
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const unneeded = Object.keys(packages).filter((path) => packages[path].dev)
  expect(unneeded).toContain('node_modules/react')
  expect(unneeded.filter((path) => statSync(join(current, path), { throwIfNoEntry: false }))).toEqual([])
})

test('on PostgreSQL, with the role and the database of the README, the server keeps what comes, and the command line finds it', async () => {
  const as = (own: object) =>
    Object.assign(new URL(inject('postgresUrl')), { pathname: '/launching_soon', ...own }).href
  const statements = commands('create role launching_soon', 6).map((line) => line.replace('PASSWORD', 'a#b c'))
  for (const [at, line] of statements.entries())
    if (!line.startsWith('\\')) await query(at < 3 ? inject('postgresUrl') : as({}), line)
  const href = as({ username: 'launching_soon', password: 'a#b c' })
  const settings = writeSettings('postgres.env', `DATABASE_URL='${href}'`, "PUBLIC_ORIGIN='https://example.com'")
  const reader = { DATABASE_URL: as({ username: 'leads_reader', password: 'OTHER' }) }
  const { origin } = await start({ DATABASE_URL: href })
  expect((await post(`${origin}/api/subscribe`, subscriptionOf())).status).toBe(200)
  const { status, stdout, stderr } = leads(settings, 'export', 'subscribers')
  expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('"visitor@example.com"')])
  expect(run('leads', ['list', 'subscribers'], reader, USER).stdout).toContain('visitor@example.com')
  expect(run('leads', ['erase', 's1', '--yes'], reader, USER).status).toBe(1)
})

test("on SQLite, in a folder of the servers' user alone, root calls the command line beside and after a server, and it goes on", async () => {
  const state = makeStateFolder('state')
  const file = join(state, 'leads.db')
  const settings = writeSettings('sqlite.env', `DATABASE_URL='sqlite:${file}'`)
  const first = await start({ DATABASE_URL: `sqlite:${file}` })
  await post(`${first.origin}/api/subscribe`, subscriptionOf('first@example.com'))
  expect(leads(settings, 'list', 'subscribers').stdout).toContain('first@example.com')
  await first.stop('SIGTERM')
  expect(leads(settings, 'erase', 'first@example.com', '--yes')).toMatchObject({ status: 0 })
  expect(readdirSync(state).map((name) => statSync(join(state, name)).uid)).not.toContain(0)
  const second = await start({ DATABASE_URL: `sqlite:${file}` })
  expect((await post(`${second.origin}/api/subscribe`, subscriptionOf('second@example.com'))).status).toBe(200)
})

test('the environment goes before the settings, and names the database for a user who may not read them', () => {
  const settings = writeSettings('root.env', "DATABASE_URL='sqlite:/settings.db'")
  const stats = (env: NodeJS.ProcessEnv, user = 0) =>
    run('leads', ['stats'], { LEADS_ENVIRONMENT_FILE: settings, ...env }, user).stderr
  const missing = (file: string) => `There is no database ${file}: set DATABASE_URL to that of the server.\n`
  expect(stats({})).toBe(missing('/settings.db'))
  expect(stats({ LEADS_ENVIRONMENT_FILE: join(opt, 'none.env') })).toBe(missing('/data/leads.db'))
  for (const user of [0, USER]) expect(stats({ DATABASE_URL: 'sqlite:/own.db' }, user)).toBe(missing('/own.db'))
  expect(stats({}, USER)).toMatch(`Can't read ${opt}/root-leads.env: join the group leads`)
})
