import { join, resolve } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { bootMachine, commandsOfReadme, type Machine, makeVariant } from '../support/server/machine.ts'
import { unpackedRelease } from '../support/server/release.ts'

const READY = 'curl -fs http://127.0.0.1:8081/readyz'

const BACKUPS = '/var/lib/launching-soon-backups'

let release: string
let machine: Machine
// npm takes its time on a busy machine.
beforeAll(async () => {
  release = unpackedRelease()
  machine = await bootMachine()
  machine.print(`${installer(release)} example.com`)
  machine.print(`echo RATE_LIMIT=off >>/etc/launching-soon.env; systemctl restart launching-soon@8081`)
  machine.until(READY)
  return machine.remove
}, 1_200_000)

const installer = (name: string) => join(inject('opt'), name, 'deploy/install.sh')

/** Runs install.sh of a release. */
const install = (name = release, host = 'example.com') => machine.run(`${installer(name)} ${host}`)

/** The status of a subscription by NAME@example.com, through nginx. */
const subscribe = (name: string) =>
  machine.run(
    `curl -sk https://example.com/api/subscribe -o /dev/null -w '%{http_code}' --json '{"email":"${name}@example.com"}'`,
  ).stdout

const subscribers = () => machine.print('leads export subscribers')

const current = () => machine.print('basename "$(readlink /opt/launching-soon/current)"').trim()

/** Has the settings end in this line until the test ends. */
function addSetting(line: string) {
  machine.print(`cp -p /etc/launching-soon.env /root/; echo "${line}" >>/etc/launching-soon.env`)
  onTestFinished(() => void machine.print('cp -p /root/launching-soon.env /etc/'))
}

/** Adds migrations to a release, the last one first. */
const addMigrations =
  (...statements: readonly string[]) =>
  (text: string) =>
    statements.reduce(
      (changed, statement) =>
        changed.replace(/(?<='create index outbox_due.*\n {2}\],\n)/, `() => [\`${statement}\`],\n`),
      text,
    )

test('the page comes with its own content policy', () => {
  const page = machine.print('curl -skD - https://example.com/')
  expect(page).toMatch(/^content-security-policy: .*script-src 'self' 'sha256-/m)
  expect(page).toContain('<meta property="og:url" content="https://example.com/" />')
})

test('members of the group leads export what came, and erase nothing', () => {
  expect(subscribe('exported')).toBe('200')
  const asMember = (command: string) =>
    machine.run(`cd /; setpriv --reuid 64123 --regid leads --clear-groups leads ${command}`)
  expect(asMember('export subscribers').stdout).toContain('"exported@example.com"')
  expect(asMember('erase exported@example.com --yes').stderr).toMatch(/run this as root/)
})

test.each([
  ['RATE_LIMTI=off', 'Line 4 of /etc/launching-soon.env sets RATE_LIMTI, which is no setting.'],
  ['REVEAL_EXISTING=maybe', 'REVEAL_EXISTING must be true or false'],
  ['PORT=8090', 'Line 4 of /etc/launching-soon.env sets what launching-soon@.service sets'],
  ['PUBLIC_ORIGIN=https://b.example', 'Line 4 of /etc/launching-soon.env sets PUBLIC_ORIGIN again'],
])('the setting %s is refused in a line, and the server goes on', (line, reason) => {
  addSetting(line)
  const { status, stderr } = install()
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^install\.sh: .+\n$/)])
  expect(stderr).toContain(reason)
  expect(subscribe('still')).toBe('200')
})

test('a port that another program has is refused in a line that names both', () => {
  machine.print('systemctl stop nginx; systemd-run --quiet --unit=other python3 -m http.server 80')
  onTestFinished(() => void machine.print('systemctl stop other; systemctl start nginx'))
  machine.print('until ss -Hltn "sport = :80" | grep -q .; do sleep 0.1; done')
  expect(install()).toMatchObject({ status: 1, stderr: 'install.sh: Port 80 is taken by python3: stop that.\n' })
})

test('a host that the page was not built for is refused', () => {
  expect(install(release, 'b.example')).toMatchObject({ status: 1, stderr: expect.stringContaining("for 'b.example'") })
})

test('a machine without IPv6 gets a site without it', () => {
  // For the process of install.sh alone.
  expect(machine.run(`mount -t tmpfs tmpfs "/proc/$$/net"; exec ${installer(release)} example.com`).status).toBe(0)
  expect(machine.print('cat /etc/nginx/conf.d/launching-soon.conf')).not.toContain('[::]')
})

test('an update migrates, keeps the files of the page before, and can be taken back', () => {
  const script = machine.print('cd /opt/launching-soon/current/dist; ls assets/*.js').trim()
  const next = makeVariant(
    release,
    'launching-soon-next',
    'server/storage/migrations.ts',
    addMigrations('create table more (id int)'),
  )
  machine.print(`cd ${join(inject('opt'), next)}/dist; rm ${script}*`)
  expect([install(next).stderr, current()]).toEqual(['', next])
  expect(machine.print('journalctl -o cat -u "launching-soon@*"')).toContain('Migrated the tables\n')
  expect(machine.print(`curl -fsk https://example.com/${script}`)).toContain('function')
  expect(subscribe('newer')).toBe('200')
  expect(machine.run(commandsOfReadme('/opt/launching-soon/previous', 1)).status).toBe(0)
  expect(current()).toBe(release)
  expect(subscribers()).toContain('newer@example.com')
  expect(subscribe('older')).toBe('200')
})

test('an update whose migration fails is told, and the server goes on', () => {
  const broken = makeVariant(
    release,
    'launching-soon-broken',
    'server/storage/migrations.ts',
    addMigrations('create nothing', 'create table more (id int)'),
  )
  const { status, stderr } = install(broken)
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^install\.sh: .*syntax error.* Nothing that runs was changed\.\n$/),
  ])
  expect([current(), subscribe('goes-on')]).toEqual([release, '200'])
})

test('an update whose server does not come is taken back', () => {
  const fail = "if (process.env.PORT === '8081') throw new Error('It fails on purpose.')\n"
  const failing = makeVariant(release, 'launching-soon-failing', 'server/main.ts', (text) =>
    text.replace(/(?<=\n)(?=async function main)/, fail),
  )
  const { status, stderr } = install(failing)
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^install\.sh: Port 8081: Error: It fails on purpose\. - Back on .+\n$/),
  ])
  expect([current(), subscribe('taken-back')]).toEqual([release, '200'])
})

test('a database that can not be reached is told, and the server goes on', () => {
  machine.print(`cp -p /etc/launching-soon.env /root/
    sed -i 's,^DATABASE_URL=.*,DATABASE_URL=postgres://user@127.0.0.1:2/leads,' /etc/launching-soon.env`)
  onTestFinished(() => void machine.print('cp -p /root/launching-soon.env /etc/'))
  expect(install()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/Nothing listens at .+ Nothing that runs/),
  })
  expect(subscribe('reached')).toBe('200')
})

test('while the server is away the page stays, and a call hears Retry-After', () => {
  machine.print('systemctl stop launching-soon@8081')
  onTestFinished(() => void machine.print('systemctl start launching-soon@8081'))
  expect(machine.print('curl -fsk https://example.com/')).toContain('<html')
  const answer = machine.print('curl -skD - https://example.com/api/subscribe --json {}')
  expect(answer).toMatch(/^HTTP\/2 503.+problem\+json.+retry-after: 2.+"status":503/s)
})

test('a server that finds no database is started again until there is one', () => {
  machine.print(`sed '/DATABASE_URL/d' /etc/launching-soon.env >/root/later.env
    echo 'DATABASE_URL=postgres://user@127.0.0.1:2/leads' >>/root/later.env
    mkdir -p /run/systemd/system/launching-soon@8082.service.d
    printf '[Service]\\nLoadCredential=launching-soon.env:/root/later.env\\nRestartSec=100ms\\n' \\
      >/run/systemd/system/launching-soon@8082.service.d/later.conf
    systemctl daemon-reload; systemctl start launching-soon@8082`)
  onTestFinished(() => void machine.print('systemctl stop launching-soon@8082'))
  // More often than systemd would by itself.
  machine.until('[ "$(systemctl show -P NRestarts launching-soon@8082)" -gt 5 ]')
  machine.print('cp /etc/launching-soon.env /root/later.env')
  machine.until('curl -fs http://127.0.0.1:8082/readyz')
})

test('the nightly task makes a backup that its members and the server can not touch', () => {
  machine.print(commandsOfReadme('systemctl start launching-soon-nightly', 1))
  expect(machine.print(`stat -c '%U %a' ${BACKUPS}/*Z.db`)).toContain('launching-soon 600')
  expect(machine.print('systemctl list-timers')).toContain('launching-soon-nightly.timer')
})

test('the newest backup is restored by the lines of the document', () => {
  expect(subscribe('kept')).toBe('200')
  machine.print(commandsOfReadme('systemctl start launching-soon-nightly', 1))
  expect(subscribe('late')).toBe('200')
  machine.print(commandsOfReadme("systemctl stop 'launching-soon@*'", 3))
  machine.until(READY)
  expect(subscribers()).toContain('kept@')
  expect(subscribers()).not.toContain('late@')
  expect(subscribe('after')).toBe('200')
})

test('systemd has no remark about the units, and gives both services few rights', () => {
  const units = 'launching-soon@8081.service launching-soon-nightly.service'
  expect(machine.run(`systemd-analyze verify ${units} launching-soon-nightly.timer`)).toMatchObject({
    stderr: '',
    status: 0,
  })
  // In tenths; it exits with 1 above.
  expect(machine.run(`systemd-analyze security --no-pager --threshold=15 ${units}`)).toMatchObject({ status: 0 })
})

test.each([
  ['a server that does not answer', 'systemctl stop launching-soon@8081', '127.0.0.1:18081 does not answer'],
  ['a night that failed', 'systemctl start launching-soon-nightly', 'No backup or deletion last night'],
])('of %s an alert comes by mail', (_, fault, words) => {
  addSetting('KEEP_BACKUPS=none')
  onTestFinished(() => void machine.print('systemctl stop mail; systemctl restart launching-soon@8081'))
  machine.print(
    `systemd-run --quiet --unit=mail ${process.execPath} ${resolve('tests/support/server/machine/mailbox.ts')}`,
  )
  machine.print(commandsOfReadme('cd /opt/launching-soon/current/deploy && cp prom', 5))
  machine.print(`cd /etc/prometheus && sed -i 's/15s/1s/g; s/for: .*[mh]$/for: 1s/; s/group_wait: 10s/group_wait: 1s/' *.yml
    systemctl restart prometheus prometheus-alertmanager prometheus-node-exporter`)
  const letters = 'journalctl -o cat _SYSTEMD_INVOCATION_ID=$(systemctl show -P InvocationID mail)'
  machine.run(fault)
  machine.until(`${letters} | tr -d '=\\n' | grep -qF '${words}'`)
})
