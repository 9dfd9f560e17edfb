import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { readTable } from '../support/server/databases.ts'
import { bootMachine, type Machine } from '../support/server/machine.ts'
import { post } from '../support/server/post.ts'
import { query } from '../support/server/postgres.ts'
import { makeCheckout, makeNext, makeRelease, startRelease } from '../support/server/release.ts'

/** Like a machine that has nothing of ours: no npm, no Node of its own that would do, no variable. */
const BARE = { PATH: '/usr/bin:/bin' }

/** A user that no program has, as systemd makes one for the servers. */
const USER = 64_123

let opt: string
let checkout: string
let release: string
let current: string
let machine: Machine

/** The indented lines of the README from one on that begins so, as they stand there. */
function commands(beginning: string, count: number): string[] {
  const lines = readFileSync('deploy/README.md', 'utf8')
    .split('\n')
    .map((line) => line.trimStart())
  const at = lines.findIndex((line) => line.startsWith(beginning))
  return lines.slice(at, at + count)
}

beforeAll(async () => {
  opt = mkdtempSync(join(tmpdir(), 'opt-'))
  checkout = makeCheckout(join(opt, 'checkout'))
  const { stdout } = makeRelease(checkout, { PUBLIC_ORIGIN: 'https://example.com' })
  release = basename(stdout.trim().split('\n').at(-1) ?? '', '.tar.gz')
  current = join(opt, release)
  const script = `sha256sum -c ${release}.tar.gz.sha256 && tar -xzf ${release}.tar.gz && ln -s ${release}/bin/leads .`
  execFileSync('sh', ['-ec', script], { cwd: opt, env: BARE })
  // The servers are another user.
  execFileSync('chmod', ['755', opt])
  machine = await bootMachine()
  // npm takes its time on a busy machine.
}, 1_200_000)
afterAll(async () => {
  await machine.remove()
  rmSync(opt, { recursive: true })
})

const start = (env: NodeJS.ProcessEnv) => startRelease(current, USER, { ...BARE, ...env })

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
  const settings = execFileSync(join(current, 'bin/node'), ['deploy/nginx-release.ts'], { cwd: current, env: BARE })
  expect(String(settings)).toMatch(`root "${join(current, 'dist')}";\n`)
})

test('a release is refused in one line without a public origin, or with packages that are not those of the commit', () => {
  expect(makeRelease(checkout, {})).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/PUBLIC_ORIGIN.*\n$/),
  })
  const lock = join(checkout, 'package-lock.json')
  writeFileSync(
    lock,
    readFileSync(lock, 'utf8').replace(/(?<="node_modules\/kysely": {\s*"version": ").*?(?=")/, '0.0.1'),
  )
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t', 'commit', '--quiet', '-am', 't'], { cwd: checkout })
  const refused = makeRelease(checkout, { PUBLIC_ORIGIN: 'https://example.com' })
  expect(refused).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^node_modules is not.*npm ci\.\n$/),
  })
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
  expect((await post(`${origin}/api/subscribe`, { email: 'visitor@example.com' })).status).toBe(200)
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
    run(`${release}/deploy/backup.sh`, [folder, time], { DATABASE_URL, LEADS_ENVIRONMENT_FILE: '' })
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

const install = (name = release, args = 'example.com') =>
  machine.run(`${join(opt, name)}/deploy/install.sh ${args}`, { READY_SECONDS: '5' })

test('the installer refuses in one line a host that is none, and what has no settings or other ones', () => {
  const postgres = 'into /etc/launching-soon.env and /etc/launching-soon-leads.env'
  const reasons = {
    '': 'Not a host',
    Ab: 'Not a host',
    'b.example': '=https://b.example',
    'example.com --postgres': postgres,
  }
  for (const [args, reason] of Object.entries(reasons))
    expect(install(release, args)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(`^install.sh: .*${reason}.*\n$`),
    })
})

test('one command installs a server, members of the group read what it stores, and the same command again changes no file', () => {
  expect(install()).toMatchObject({ status: 0, stdout: expect.stringContaining('8081: it is ready') })
  expect(machine.subscribe('first')).toBe('200')
  const exported = machine.run('setpriv --reuid 64123 --regid leads --clear-groups leads export subscribers')
  expect(exported).toMatchObject({ status: 0, stdout: expect.stringContaining('"first@example.com"') })
  const before = machine.files()
  const { status, stdout } = install()
  expect([status, stdout]).toEqual([0, expect.not.stringMatching(/Added|Changed|Wrote|Copied/)])
  expect(machine.files()).toBe(before)
  expect(install(release, 'example.com --postgres').stderr).toMatch(/names SQLite: .* how to move/)
})

test('settings that the server refuses are refused in a line, and the server goes on', () => {
  machine.run("echo 'RATE_LIMIT=maybe' >>/etc/launching-soon.env")
  const { status, stderr } = install()
  expect(stderr).toMatch(/^install\.sh: .*RATE_LIMIT must be .* nothing that runs was changed\.\n$/)
  expect(status).toBe(1)
  expect(machine.subscribe('second')).toBe('200')
  machine.run("sed -i '/^RATE_LIMIT/d' /etc/launching-soon.env")
})

test('an update says which unit it changed and serves; one whose server does not come is put back with the reason; one goes back', () => {
  const unit = 'deploy/launching-soon@.service'
  makeNext(current, 'launching-soon-next', unit, (text) => text.replace('PORT=%i', 'PORT=%i METRICS_PORT=9081'))
  const updated = install('launching-soon-next')
  expect(updated.stdout.match(/^(Added|Changed) .*/gm)).toEqual([
    'Changed /etc/systemd/system/launching-soon@.service.',
    'Changed /etc/nginx/snippets/launching-soon-release.conf.',
  ])
  expect(machine.run('curl -fs http://127.0.0.1:9081/metrics').stdout).toContain('leads_database_up 1')
  expect(machine.subscribe('third')).toBe('200')

  const before = machine.files()
  const fail = "if (process.argv[2] !== '--check') throw new Error('It fails on purpose.')\n"
  makeNext(current, 'launching-soon-broken', 'server/main.ts', (text) =>
    text.replace(/(?<=\n)(?=async function main)/, fail),
  )
  const broken = install('launching-soon-broken')
  expect(broken).toMatchObject({ status: 1, stderr: expect.stringMatching(/8081 is not ready: .*It fails on purpose/) })
  expect(broken.stdout).toContain('Put back releases/launching-soon-next on port 8081: it is ready.')
  expect([machine.current(), machine.subscribe('fourth')]).toEqual(['launching-soon-next', '200'])
  expect(machine.files()).toBe(before)

  const back = machine.run('/opt/launching-soon/previous/deploy/install.sh example.com')
  expect([back.status, machine.current()]).toEqual([0, release])
  expect(machine.run('leads stats').stdout).toMatch(/^total +4 /m)
  expect(machine.run('ls /opt/launching-soon/releases | wc -l').stdout.trim()).toBe('2')
})
