import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { readTable } from '../support/server/databases.ts'
import { post } from '../support/server/post.ts'
import { query } from '../support/server/postgres.ts'
import { until } from '../support/until.ts'

/** Like a machine that has nothing of ours: no npm, no Node of its own that would do, no variable. */
const BARE = { PATH: '/usr/bin:/bin' }

/** A user that no program has, as systemd makes one for the servers. */
const USER = 64_123

let opt: string
let checkout: string
let release: string
let current: string

/** The indented lines of the README from one on that begins so, as they stand there. */
function commands(beginning: string, count: number): string[] {
  const lines = readFileSync('deploy/README.md', 'utf8')
    .split('\n')
    .map((line) => line.trimStart())
  const at = lines.findIndex((line) => line.startsWith(beginning))
  return lines.slice(at, at + count)
}

const makeRelease = (env: NodeJS.ProcessEnv) =>
  spawnSync(join('deploy', 'make-release.sh'), [opt], {
    cwd: checkout,
    env: { ...process.env, PUBLIC_ORIGIN: '', ...env },
    encoding: 'utf8',
  })

beforeAll(() => {
  opt = mkdtempSync(join(tmpdir(), 'opt-'))
  checkout = join(opt, 'checkout')
  execFileSync('git', ['clone', '--quiet', '.', checkout])
  execFileSync('ln', ['-s', resolve('node_modules'), checkout])
  mkdirSync(join(checkout, 'dist'))
  writeFileSync(join(checkout, 'dist/index.html'), 'of another commit')
  const { stdout } = makeRelease({ PUBLIC_ORIGIN: 'https://example.com' })
  release = basename(stdout.trim().split('\n').at(-1) ?? '', '.tar.gz')
  const steps = commands('mkdir -p /opt/launching-soon/releases', 4)
  const script = steps.join('\n').replaceAll('/opt/', `${opt}/`).replaceAll('/usr/local/bin', opt)
  execFileSync('sh', ['-euc', script], { cwd: opt, env: { ...BARE, release } })
  current = join(opt, 'launching-soon/current')
  // The servers are another user.
  execFileSync('chmod', ['755', opt])
  // npm takes its time on a busy machine.
}, 1_200_000)
afterAll(() => rmSync(opt, { recursive: true }))

/** Runs the server as its unit does, as a user of its own, until the end of the test. */
async function start(env: NodeJS.ProcessEnv) {
  const child = spawn(join(current, 'bin', 'node'), ['server/main.ts'], {
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

test('a release holds what it needs, names itself, and brings nothing that only the page or a developer needs', () => {
  const { version } = JSON.parse(readFileSync(join(current, 'package.json'), 'utf8'))
  expect(version).toBe(`1.0.0+${release.replace('launching-soon-', '')}`)
  expect(leads('', '--version').stdout).toBe(`${version}\n`)
  expect(readdirSync(join(current, 'bin')).toSorted()).toEqual(['leads', 'node'])
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const unneeded = Object.keys(packages).filter((path) => packages[path].dev)
  expect(unneeded).toContain('node_modules/react')
  expect(unneeded.filter((path) => statSync(join(current, path), { throwIfNoEntry: false }))).toEqual([])
})

test('a release has the page of its commit, whatever page the checkout has, and the settings of nginx for it', () => {
  const page = readFileSync(join(current, 'dist/index.html'), 'utf8')
  expect(page).toContain('<meta property="og:url" content="https://example.com/" />')
  expect(page).not.toContain('of another commit')
  const [command = ''] = commands('bin/node deploy/nginx-release.ts', 1)
  const settings = execFileSync('sh', ['-c', command.replace(/ >.*/, '')], { cwd: current, env: BARE })
  expect(String(settings)).toMatch(`root "${join(opt, 'launching-soon/releases', release, 'dist')}";\n`)
})

test('a release is refused in one line without a public origin, or with packages that are not those of the commit', () => {
  expect(makeRelease({})).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/PUBLIC_ORIGIN.*\n$/) })
  const lock = join(checkout, 'package-lock.json')
  writeFileSync(
    lock,
    readFileSync(lock, 'utf8').replace(/(?<="node_modules\/kysely": {\s*"version": ").*?(?=")/, '0.0.1'),
  )
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t', 'commit', '--quiet', '-am', 't'], { cwd: checkout })
  const refused = makeRelease({ PUBLIC_ORIGIN: 'https://example.com' })
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^node_modules is not.*npm ci\.\n$/),
  })
})

test('on PostgreSQL, with the role and the database of the README, the server keeps what comes, and the command line finds it', async () => {
  for (const line of commands('create role launching_soon', 2))
    await query(inject('postgresUrl'), line.replace('PASSWORD', 'a#b c'))
  const own = { username: 'launching_soon', password: 'a#b c', pathname: '/launching_soon' }
  const { href } = Object.assign(new URL(inject('postgresUrl')), own)
  const settings = writeSettings('postgres.env', `DATABASE_URL='${href}'`, "PUBLIC_ORIGIN='https://example.com'")
  const { origin } = await start({ DATABASE_URL: href })
  expect((await post(`${origin}/api/subscribe`, { email: 'visitor@example.com' })).status).toBe(200)
  const { status, stdout, stderr } = leads(settings, 'export', 'subscribers')
  expect([status, stderr, stdout]).toEqual([0, '', expect.stringContaining('"visitor@example.com"')])
})

test("on SQLite, in a folder of the servers' user alone, root calls the command line beside and after a server, and it goes on", async () => {
  const state = makeStateFolder('state')
  const file = join(state, 'leads.db')
  const settings = writeSettings('sqlite.env', `DATABASE_URL='sqlite:${file}'`)
  const first = await start({ DATABASE_URL: `sqlite:${file}` })
  await post(`${first.origin}/api/subscribe`, { email: 'first@example.com' })
  expect(leads(settings, 'list', 'subscribers').stdout).toContain('first@example.com')
  await first.stop('SIGTERM')
  expect(leads(settings, 'erase', 'first@example.com', '--yes')).toMatchObject({ status: 0 })
  expect(readdirSync(state).map((name) => statSync(join(state, name)).uid)).not.toContain(0)
  const second = await start({ DATABASE_URL: `sqlite:${file}` })
  expect((await post(`${second.origin}/api/subscribe`, { email: 'second@example.com' })).status).toBe(200)

  const folder = join(opt, 'backups')
  mkdirSync(folder)
  const age = (days: number, ...names: string[]) =>
    execFileSync('touch', ['-d', `${days} days ago`, ...names.map((name) => join(folder, name))])
  age(40, 'leads-2026-01-01T021500Z.db', 'leads-2026-01-02T021500Z.db.123.part', 'something-else.db')
  age(20, 'leads-2026-11-01T021500Z.db')
  const before = readdirSync(folder)
  const backup = (DATABASE_URL: string, time: string) =>
    run('launching-soon/current/deploy/backup.sh', [folder, time], { DATABASE_URL, LEADS_ENVIRONMENT_FILE: '' })
  const noData = backup(`sqlite:${state}/none.db`, '30d')
  expect(noData).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no database /) })
  for (const time of ['-1d', '30', 'd', '1x0d']) expect(backup(`sqlite:${file}`, time).status).toBe(2)
  expect(readdirSync(folder)).toEqual(before)
  expect(backup(`sqlite:${file}`, '30d')).toMatchObject({ status: 0, stdout: '' })
  const [kept, made = '', ...others] = readdirSync(folder).toSorted()
  expect([kept, ...others]).toEqual(['leads-2026-11-01T021500Z.db', 'something-else.db'])
  expect(statSync(join(folder, made)).mode & 0o777).toBe(0o600)
  expect(readTable(join(folder, made), 'subscribers')).toMatchObject([{ email: 'second@example.com' }])

  // A clock that is two years ahead makes all of them old, also where the last nights found nothing to keep.
  const old = Array.from({ length: 10 }, (_, night) => `leads-2026-10-0${night}T021500Z.db`)
  for (const [night, name] of old.entries()) {
    cpSync(join(folder, made), join(folder, name))
    age(800 - night, name)
  }
  rmSync(join(folder, made))
  expect(backup(`sqlite:${file}`, '30d').status).toBe(0)
  const left = readdirSync(folder).filter((name) => old.includes(name))
  expect(left).toEqual(old.slice(-6))
})

test('how a backup ended is measured, and so is all that an alert asks for', async () => {
  const tell = (SERVICE_RESULT: string) =>
    run('launching-soon/current/deploy/backup-metric.sh', [opt], { SERVICE_RESULT })
  const metric = (name: string) => readFileSync(join(opt, `leads_backup_${name}.prom`), 'utf8')
  const madeAt = () => metric('last_success_timestamp_seconds')
  tell('success')
  expect(madeAt()).toMatch(/^leads_backup_last_success_timestamp_seconds \d{10}\n$/m)
  expect(metric('last_failed')).toMatch(/^leads_backup_last_failed 0\n$/m)
  const before = madeAt()
  tell('exit-code')
  expect(metric('last_failed')).toMatch(/^leads_backup_last_failed 1\n$/m)
  expect(madeAt()).toBe(before)

  const { metrics } = await start({ DATABASE_URL: `sqlite:${makeStateFolder('measured')}/leads.db` })
  const text = (await (await fetch(metrics)).text()) + madeAt() + metric('last_failed')
  const known = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  const { groups } = parse(readFileSync(join(current, 'deploy/prometheus-rules.yml'), 'utf8'))
  const rules: { expr: string }[] = groups.flatMap((group: { rules: unknown }) => group.rules)
  const named = rules.flatMap(({ expr }) => expr.match(/\b(leads_\w+|http_\w+)\b/g) ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.includes(name.replace(/_(count|sum|bucket)$/, '')))).toEqual([])
})

test('the environment goes before the settings, and names the database for a user who may not read them', () => {
  const settings = writeSettings('root.env', "DATABASE_URL='sqlite:/settings.db'")
  const stats = (env: NodeJS.ProcessEnv, user = 0) =>
    run('leads', ['stats'], { LEADS_ENVIRONMENT_FILE: settings, ...env }, user).stderr
  const missing = (file: string) => `There is no database ${file}: set DATABASE_URL to that of the server.\n`
  expect(stats({})).toBe(missing('/settings.db'))
  expect(stats({ LEADS_ENVIRONMENT_FILE: join(opt, 'none.env') })).toBe(missing('/data/leads.db'))
  for (const user of [0, USER]) expect(stats({ DATABASE_URL: 'sqlite:/own.db' }, user)).toBe(missing('/own.db'))
  expect(stats({}, USER)).toBe(`Can't read ${settings}: run this as root, or set DATABASE_URL.\n`)
})
