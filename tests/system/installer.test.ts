import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { unpackedRelease } from '../support/server/release.ts'

const TOOLS = resolve('tests/support/server/machine')

const CURL = 'curl -sk --resolve example.com:443:127.0.0.1 https://example.com'

/**
 * This system once more, to install something on: with its own network, processes and folders where install.sh writes. There
 * is no systemd, and a `systemctl` of the tests starts servers.
 */
async function bootMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'))
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  const machine = spawn('unshare', [...namespaces, join(TOOLS, 'boot'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(machine, 'close')
  const [said] = await Promise.race([once(machine.stdout, 'data'), ended])
  if (!String(said).startsWith('ready')) throw new Error('The machine did not boot.')
  const { stdout: first } = spawnSync('pgrep', ['-P', `${machine.pid}`], { encoding: 'utf8' })
  const PATH = `${TOOLS}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`
  const run = (script: string, env: NodeJS.ProcessEnv = {}) =>
    spawnSync('nsenter', ['--all', '--target', first.trim(), 'sh', '-ec', script], {
      env: { PATH, ...env },
      encoding: 'utf8',
    })
  return {
    /** Runs a script by a shell of root. */
    run,
    /** What is answered at this path of https://example.com. */
    visit: (path: string) => run(`${CURL}${path}`).stdout,
    /** Subscribes NAME@example.com through nginx, and tells the status. */
    subscribe: (name: string) =>
      run(`${CURL}/api/subscribe -o /dev/null -w '%{http_code}' --json '{"email":"${name}@example.com"}'`).stdout,
    /** All that install.sh wrote into /etc. */
    files: () =>
      run('cat /etc/launching-soon* /etc/systemd/system/launching-soon* /etc/nginx/*/launching-soon*').stdout,
    /** The name of the release that runs. */
    current: () => run('basename "$(readlink /opt/launching-soon/current)"').stdout.trim(),
    async remove() {
      machine.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

let release: string
let machine: Awaited<ReturnType<typeof bootMachine>>
beforeAll(async () => {
  release = unpackedRelease()
  machine = await bootMachine()
  return machine.remove
  // npm takes its time on a busy machine.
}, 1_200_000)

const install = (name = release, args = 'example.com') =>
  machine.run(`${join(inject('opt'), name)}/deploy/install.sh ${args}`)

/** Another release, of which one file differs. */
function makeNext(name: string, file: string, change: (text: string) => string): void {
  const next = join(inject('opt'), name)
  execFileSync('cp', ['-al', join(inject('opt'), release), next])
  const text = readFileSync(join(next, file), 'utf8')
  rmSync(join(next, file))
  writeFileSync(join(next, file), change(text))
}

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

test('one command installs a server and its page, members of the group read what it stores, and the same command again changes no file', () => {
  expect(install()).toMatchObject({ status: 0, stdout: expect.stringContaining('8081: it is ready') })
  expect(machine.visit('/')).toContain('<meta property="og:url" content="https://example.com/" />')
  expect(machine.subscribe('first')).toBe('200')
  expect(machine.run('systemctl is-enabled launching-soon@8081').status).toBe(0)
  const exported = machine.run('setpriv --reuid 64123 --regid leads --clear-groups leads export subscribers')
  expect(exported).toMatchObject({ status: 0, stdout: expect.stringContaining('"first@example.com"') })
  expect(machine.run("stat -c '%U %G %a' /etc/launching-soon*.env").stdout).toBe('root leads 640\nroot root 600\n')
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

test('the nightly tasks do what their units say: a backup that members of the group read, and an erasure', () => {
  expect(machine.run('systemctl start launching-soon-backup@30d')).toMatchObject({ status: 0, stderr: '' })
  const backups = '/var/lib/launching-soon-backups'
  const read = `DATABASE_URL=sqlite:$(ls ${backups}/*.db) leads list subscribers`
  expect(machine.run(read).stdout).toContain('second@example.com')
  expect(machine.run(`stat -c '%U %G %a' ${backups}`).stdout).toBe('launching-soon leads 750\n')
  const age =
    "require('better-sqlite3')(process.argv[1]).exec(`update subscribers set created_at = '2020-01-01' where id = 1`)"
  machine.run(`cd /opt/launching-soon/current && bin/node -e "$AGE" /var/lib/launching-soon/leads.db`, { AGE: age })
  expect(machine.run('systemctl start launching-soon-purge@subscribers-365d')).toMatchObject({ status: 0, stderr: '' })
  expect(machine.run('leads list subscribers').stdout).toMatch(/^(?!.*first@).*second@/s)
})

test('an update says which unit it changed and serves; one whose server does not come is put back with the reason; one goes back', () => {
  makeNext('launching-soon-next', 'deploy/launching-soon@.service', (text) =>
    text.replace('PORT=%i', 'PORT=%i METRICS_PORT=9081'),
  )
  // The one that visitors who have the old page open may still ask for.
  const [asset = ''] = readdirSync(join(inject('opt'), release, 'dist/assets')).filter((name) => name.endsWith('.js'))
  rmSync(join(inject('opt'), 'launching-soon-next/dist/assets', asset))
  const updated = install('launching-soon-next')
  expect(updated.stdout.match(/^(Added|Changed) .*/gm)).toEqual([
    'Changed /etc/systemd/system/launching-soon@.service.',
    'Changed /etc/nginx/snippets/launching-soon-release.conf.',
  ])
  expect(machine.run('curl -fs http://127.0.0.1:9081/metrics').stdout).toContain('leads_database_up 1')
  expect(machine.run('ls /opt/launching-soon/current/dist/assets').stdout).toContain(`${asset}\n`)
  expect(machine.subscribe('third')).toBe('200')

  const before = machine.files()
  const fail = "if (process.argv[2] !== '--check') throw new Error('It fails on purpose.')\n"
  makeNext('launching-soon-broken', 'server/main.ts', (text) => text.replace(/(?<=\n)(?=async function main)/, fail))
  const broken = install('launching-soon-broken')
  expect(broken).toMatchObject({ status: 1, stderr: expect.stringMatching(/8081 is not ready: .*It fails on purpose/) })
  expect(broken.stdout).toContain('Put back releases/launching-soon-next on port 8081: it is ready.')
  expect([machine.current(), machine.subscribe('fourth')]).toEqual(['launching-soon-next', '200'])
  expect(machine.files()).toBe(before)

  const back = machine.run('/opt/launching-soon/previous/deploy/install.sh example.com')
  expect([back.status, machine.current()]).toEqual([0, release])
  expect(machine.run('leads stats').stdout).toMatch(/^total +3 /m)
  expect(machine.run('ls /opt/launching-soon/releases | wc -l').stdout.trim()).toBe('2')
})
