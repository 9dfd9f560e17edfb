import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { query } from '../../scripts/postgres.ts'
import { readTable } from '../support/server/databases.ts'
import { post } from '../support/server/post.ts'

const README = readFileSync('deploy/README.md', 'utf8')

/** Like a machine that has nothing of ours: no npm, no Node of its own that would do, no variable. */
const BARE = { PATH: '/usr/bin:/bin' }

/** A user that no program has, as systemd makes one for the servers. */
const USER = 64_123

let opt: string
let release: string
let current: string
let leads: string
const started: ChildProcess[] = []

/** The indented lines of the README from one on that begins so, as they stand there. */
function commands(beginning: string, count: number): string[] {
  const lines = README.split('\n').map((line) => line.trimStart())
  const at = lines.findIndex((line) => line.startsWith(beginning))
  if (at < 0) throw new Error(`deploy/README.md has no line ${beginning}`)
  return lines.slice(at, at + count)
}

beforeAll(() => {
  opt = mkdtempSync(join(tmpdir(), 'opt-'))
  const archive =
    execFileSync(join('deploy', 'make-release.sh'), [opt], { encoding: 'utf8' }).trim().split('\n').at(-1) ?? ''
  release = archive.replace(/^.*\/|\.tar\.gz$/g, '')
  const steps = commands('mkdir -p /opt/launching-soon/releases', 4)
  const script = steps.join('\n').replaceAll('/opt/', `${opt}/`).replaceAll('/usr/local/bin', opt)
  execFileSync('sh', ['-euc', script], { cwd: opt, env: { ...BARE, release } })
  current = join(opt, 'launching-soon/current')
  leads = join(opt, 'leads')
  // The servers are another user.
  execFileSync('chmod', ['755', opt])
  // npm takes its time on a busy machine.
}, 1_200_000)
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await Promise.all(started.map((child) => child.exitCode ?? once(child, 'exit')))
  rmSync(opt, { recursive: true })
})

/** Runs the server as its unit does, as a user of its own. */
async function start(env: NodeJS.ProcessEnv) {
  const child = spawn(join(current, 'bin', 'node'), ['server/main.ts'], {
    cwd: current,
    env: { ...BARE, NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', ...env },
    uid: USER,
    gid: USER,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  let said = ''
  while (!said.includes('Data in ')) {
    const [chunk] = await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
    if (typeof chunk === 'number') throw new Error(`The server ended with ${chunk}: ${said}`)
    said += chunk
  }
  child.stdout?.resume()
  const [, origin = ''] = /Listening on (\S+)/.exec(said) ?? []
  const [, metrics = ''] = /Metrics on (\S+)/.exec(said) ?? []
  return { child, origin, metrics }
}

/** Runs `leads` by its link, from a folder of no importance, without any variable but where the settings are. */
function run(settings: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(leads, args, {
    cwd: '/',
    env: { ...BARE, LEADS_ENVIRONMENT_FILE: settings, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function writeSettings(name: string, ...lines: string[]): string {
  const file = join(opt, name)
  writeFileSync(file, `# Settings\n\n${lines.join('\n')}\n`, { mode: 0o600 })
  return file
}

test('a release holds what it needs, and names itself', () => {
  expect(run('', ['--help']).stdout).toMatch(/^Usage: leads /)
  const { version } = JSON.parse(readFileSync(join(current, 'package.json'), 'utf8'))
  expect(version).toBe(`1.0.0+${release.replace('launching-soon-', '')}`)
  expect(readdirSync(join(current, 'bin')).toSorted()).toEqual(['leads', 'node'])
})

test('a release brings nothing that only the page or a developer needs', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const unneeded = Object.keys(packages).filter((path) => packages[path].dev)
  expect(unneeded.join()).toContain('node_modules/react,')
  expect(unneeded.filter((path) => existsSync(join(current, path)))).toEqual([])
})

describe('on PostgreSQL, with the role and the database that the README makes', () => {
  test('the server keeps what comes, and the command line finds it by the settings of the service', async () => {
    const sql = commands('create role launching_soon', 2).map((line) => line.replace('PASSWORD', 'a#b c'))
    for (const statement of sql) await query(inject('postgresUrl'), statement)
    const url = new URL(inject('postgresUrl'))
    Object.assign(url, { username: 'launching_soon', password: 'a#b c', pathname: '/launching_soon' })
    const settings = writeSettings('postgres.env', `DATABASE_URL='${url.href}'`, "PUBLIC_ORIGIN='https://example.com'")
    const { origin, metrics } = await start({ DATABASE_URL: url.href })
    expect((await post(`${origin}/api/subscribe`, { email: 'visitor@example.com' })).status).toBe(200)
    const { status, stdout, stderr } = run(settings, ['list', 'subscribers', '--csv'])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('"visitor@example.com"')

    const names = await metricNames(metrics)
    expect(names.size).toBeGreaterThan(20)
    const metricFolder = join(opt, 'textfiles')
    mkdirSync(metricFolder)
    execFileSync(join(current, 'deploy/backup-metric.sh'), [metricFolder], { env: BARE })
    expect(readdirSync(metricFolder)).toEqual(['launching-soon.prom'])
    const backupMetric = readFileSync(join(metricFolder, 'launching-soon.prom'), 'utf8')
    expect(backupMetric).toMatch(/^leads_backup_last_success_timestamp_seconds \d{10}\n$/m)
    const known = new Set([...names, 'up', ...namesIn(backupMetric)])
    const { groups } = parse(readFileSync(join(current, 'deploy/prometheus-rules.yml'), 'utf8'))
    const rules: { alert: string; expr: string }[] = groups.flatMap((group: { rules: unknown }) => group.rules)
    expect(rules.length).toBeGreaterThan(8)
    for (const { alert, expr } of rules) {
      const named = expr.match(/\b(up|leads_\w+|http_\w+)\b/g) ?? []
      expect([alert, named.length > 0, named.filter((name) => !known.has(name))]).toEqual([alert, true, []])
    }
  })
})

const namesIn = (text: string) =>
  [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name],
  )

const metricNames = async (metrics: string) => new Set(namesIn(await (await fetch(metrics)).text()))

describe("on SQLite, in a folder of the servers' user alone", () => {
  let state: string
  let file: string
  let settings: string
  let server: Awaited<ReturnType<typeof start>>
  const subscribe = (email: string) => post(`${server.origin}/api/subscribe`, { email })
  beforeAll(async () => {
    state = join(opt, 'state')
    mkdirSync(state, { mode: 0o700 })
    chownSync(state, USER, USER)
    file = join(state, 'leads.db')
    settings = writeSettings('sqlite.env', `DATABASE_URL='sqlite:${file}'`)
    server = await start({ DATABASE_URL: `sqlite:${file}` })
    await subscribe('first@example.com')
  })

  test('root calls the command line beside and after a server, and the server goes on', async () => {
    expect(run(settings, ['list', 'subscribers', '--csv']).stdout).toContain('first@example.com')
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
    expect(run(settings, ['erase', 'first@example.com', '--yes'])).toMatchObject({ status: 0 })
    expect(readdirSync(state).map((name) => statSync(join(state, name)).uid)).not.toContain(0)
    server = await start({ DATABASE_URL: `sqlite:${file}` })
    expect((await subscribe('second@example.com')).status).toBe(200)
    expect(readTable(file, 'subscribers').map(({ email }) => email)).toEqual(['second@example.com'])
  })

  test('a backup keeps those of so many days; one that fails deletes nothing', () => {
    const folder = join(opt, 'backups')
    mkdirSync(folder)
    const age = (name: string, days: number) => {
      writeFileSync(join(folder, name), '')
      const time = Date.now() / 1000 - days * 86_400
      utimesSync(join(folder, name), time, time)
    }
    age('leads-2026-01-01T021500Z.db', 40)
    age('leads-2026-01-02T021500Z.db.123.part', 40)
    age('leads-2026-11-01T021500Z.db', 20)
    age('something-else.db', 40)
    const before = readdirSync(folder)
    const backup = (url: string, days = '30') =>
      spawnSync(join(current, 'deploy/backup.sh'), [folder, days], {
        cwd: '/',
        env: { ...BARE, DATABASE_URL: url, LEADS_ENVIRONMENT_FILE: '' },
        encoding: 'utf8',
      })
    expect(backup(`sqlite:${state}/none.db`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no database'),
    })
    expect(backup(`sqlite:${file}`, '-1').status).toBe(2)
    expect(readdirSync(folder)).toEqual(before)

    expect(backup(`sqlite:${file}`)).toMatchObject({ status: 0, stdout: '' })
    const kept = readdirSync(folder).toSorted()
    expect(kept).toHaveLength(3)
    expect(kept[0]).toBe('leads-2026-11-01T021500Z.db')
    expect(kept[2]).toBe('something-else.db')
    const made = join(folder, kept[1] ?? '')
    expect(statSync(made).mode & 0o777).toBe(0o600)
    expect(readTable(made, 'subscribers').map(({ email }) => email)).toEqual(['second@example.com'])
  })
})

test('the settings are read as systemd reads them', () => {
  const lines = [
    'A=\'single # quotes; with "all" in them\\\'',
    'B="double quotes it\'s"',
    'C=bare value#with ; signs',
    'D=',
    " E='indented'",
    "F='first'",
    "F='last'",
  ]
  const file = writeSettings('lines.env', ...lines, '; A=of a comment')
  const folder = join(opt, 'config/environment.d')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'lines.conf'), readFileSync(file))
  // It reads files with the parser that EnvironmentFile has, and writes what it read for a shell.
  const generator = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator'
  const env = { ...BARE, XDG_CONFIG_HOME: join(opt, 'config') }
  const written = execFileSync(generator, { env, encoding: 'utf8' })
  const show = 'for name in A B C D E F; do eval "printf \'%s\\n\' \\"\\$$name\\""; done'
  const read = execFileSync('sh', ['-c', `${written}\n${show}`], { env: BARE, encoding: 'utf8' })
  const module = `import { parseEnvironmentFile } from '${current}/leads/environment-file.ts'
    import { readFileSync } from 'node:fs'
    process.stdout.write(Object.values(parseEnvironmentFile(readFileSync('${file}', 'utf8'), '')).map((each) => each + '\\n').join(''))`
  const ours = execFileSync(join(current, 'bin/node'), ['--input-type=module', '-e', module], { encoding: 'utf8' })
  expect(ours).toBe(read)
  expect(read.split('\n')).toHaveLength(7)
})
