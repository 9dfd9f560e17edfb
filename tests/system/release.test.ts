import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { subscriptionOf } from '../support/enquiries.ts'
import { readTable } from '../support/server/databases.ts'
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

  const folder = join(opt, 'backups')
  mkdirSync(folder)
  const age = (days: number, name: string) => execFileSync('touch', ['-d', `${days} days ago`, join(folder, name)])
  // A clock that is two years ahead makes all of them old, also where the last nights found nothing to keep.
  const old = Array.from({ length: 8 }, (_, night) => `leads-2026-10-0${night}T021500Z.db`)
  for (const [night, name] of old.entries()) {
    cpSync(file, join(folder, name))
    age(800 - night, name)
  }
  const [young, empty, part, other] = [
    'leads-2026-11-09.db',
    'leads-2026-11-08.db',
    'leads-2026-11-07.db.1.part',
    'another.db',
  ]
  for (const name of [young, empty, part, other]) {
    writeFileSync(join(folder, name), '')
    age(name === young ? 20 : 40, name)
  }
  const before = readdirSync(folder)
  const backup = (DATABASE_URL: string, time: string) =>
    run(`${release}/deploy/backup.sh`, [folder, time], { DATABASE_URL, LEADS_ENVIRONMENT_FILE: '' })
  const noData = backup(`sqlite:${state}/none.db`, '30d')
  expect(noData).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no database /) })
  for (const time of ['-1d', '30', '1x0d']) expect(backup(`sqlite:${file}`, time).status).toBe(2)
  expect(readdirSync(folder)).toEqual(before)
  expect(backup(`sqlite:${file}`, '30d')).toMatchObject({ status: 0, stdout: '' })
  const [made = '', ...others] = readdirSync(folder).filter((name) => !before.includes(name))
  expect(others).toEqual([])
  expect(readdirSync(folder).toSorted()).toEqual([other, ...old.slice(-6), young, made].toSorted())
  expect(statSync(join(folder, made)).mode & 0o777).toBe(0o600)
  expect(readTable(join(folder, made), 'subscribers')).toMatchObject([{ email: 'second@example.com' }])
})

test('how a nightly task ended is measured while its timer is enabled, and so is all that an alert asks for', async () => {
  const tell = (event: string, SERVICE_RESULT = '') =>
    run(`${release}/deploy/task-metric.sh`, [event, 'purge-all-30d'], { METRICS_FOLDER: opt, SERVICE_RESULT })
  const files = () => readdirSync(opt).filter((name) => name.endsWith('.prom'))
  const metrics = () =>
    files()
      .map((name) => readFileSync(join(opt, name), 'utf8'))
      .join('')
  const succeeded = /^leads_task_last_success_timestamp_seconds{task="purge-all-30d"} \d{10}$/m
  tell('enabled')
  expect(metrics()).toMatch(/^leads_task_enabled{task="purge-all-30d"} 1$/m)
  tell('ended', 'exit-code')
  expect(metrics()).not.toMatch(succeeded)
  tell('ended', 'success')
  expect(metrics()).toMatch(/^leads_task_last_failed{task="purge-all-30d"} 0$/m)
  const before = metrics()
  tell('ended', 'exit-code')
  expect(metrics()).toBe(before.replace(/(last_failed{.*}) 0/, '$1 1'))
  expect(metrics()).toMatch(succeeded)

  const server = await start({ DATABASE_URL: `sqlite:${makeStateFolder('measured')}/leads.db` })
  const text = (await (await fetch(server.metrics)).text()) + metrics()
  const known = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  const { groups } = parse(readFileSync(join(current, 'deploy/prometheus-rules.yml'), 'utf8'))
  const rules: { expr: string }[] = groups.flatMap((group: { rules: unknown }) => group.rules)
  const named = rules.flatMap(({ expr }) => expr.match(/\b(leads_\w+|http_\w+)\b/g) ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.includes(name.replace(/_(count|sum|bucket)$/, '')))).toEqual([])
  tell('disabled')
  expect(metrics()).not.toContain('leads_task_enabled')
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
