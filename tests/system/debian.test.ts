import { join, resolve } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { bootMachine, commandsOfReadme, type Machine, makeVariant, unpackedRelease } from '../support/server/machine.ts'

const READY = 'curl -fs http://127.0.0.1:8081/readyz'

let release: string
let machine: Machine
// npm is slow on a busy machine.
beforeAll(async () => {
  release = unpackedRelease()
  machine = await bootMachine()
  expect(install(release)).toMatchObject({ stderr: '', status: 0 })
  machine.print('echo RATE_LIMIT=off >>/etc/launching-soon.env; systemctl restart launching-soon@8081')
  machine.until(READY)
  return machine.remove
}, 1_200_000)

/** Runs install.sh of a release. */
const install = (name: string) => machine.run(`${join(inject('opt'), name)}/deploy/install.sh example.com`)

/** The status of a subscription by NAME@example.com, through nginx. */
const subscribe = (name: string) =>
  machine.run(
    `curl -sk https://example.com/api/subscribe -o /dev/null -w '%{http_code}' --json '{"email":"${name}@example.com"}'`,
  ).stdout

const subscribers = () => machine.print('leads export subscribers')

const currentRelease = () => machine.print('basename "$(readlink /opt/launching-soon/current)"').trim()

/** Adds a line to the settings until the test ends. */
function addSetting(line: string) {
  machine.print(`cp -p /etc/launching-soon.env /root/; echo "${line}" >>/etc/launching-soon.env`)
  onTestFinished(() => void machine.print('cp -p /root/launching-soon.env /etc/'))
}

/** Adds a migration to a release, before the migrations that were added earlier. */
const addMigration = (statement: string, text: string) =>
  text.replace(/(?<='create index outbox_due.*\n {2}\],\n)/, `() => [\`${statement}\`],\n`)

const addGoodMigration = (text: string) => addMigration('create table more (id int)', text)
const addBadMigration = (text: string) => addGoodMigration(addMigration('create nothing', text))

/** Makes the unit fail on its own port, but not on the port of its trial. */
const addFault = (text: string) =>
  text.replace(
    /(?=^ExecStart=)/m,
    'ExecStartPre=sh -c "[ %i != 8081 ] || { echo It fails on purpose. >&2; exit 1; }"\n',
  )

test('members of the group leads can export leads, but not erase them', () => {
  expect(subscribe('exported')).toBe('200')
  const asMember = (command: string) =>
    machine.run(`cd /; setpriv --reuid 64123 --regid leads --clear-groups leads ${command}`)
  expect(asMember('export subscribers').stdout).toContain('"exported@example.com"')
  expect(asMember('erase exported@example.com --yes').stderr).toMatch(/run this as root/)
})

test('the error of a wrong setting names its line, and the server keeps running', () => {
  addSetting('RATE_LIMTI=off')
  const reason = 'install.sh: Line 4 of /etc/launching-soon.env sets RATE_LIMTI, which is no setting.'
  expect(install(release)).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) })
  expect(subscribe('still')).toBe('200')
})

test('an update backs up, migrates, keeps earlier files, and can be undone', () => {
  const script = machine.print('cd /opt/launching-soon/current/dist; ls assets/*.js').trim()
  const newer = makeVariant(release, 'launching-soon-newer', 'server/storage/migrations.ts', addGoodMigration)
  machine.print(`rm -f /var/lib/launching-soon-backups/* ${join(inject('opt'), newer)}/dist/${script}*`)
  expect([install(newer).stderr, currentRelease()]).toEqual(['', newer])
  expect(machine.print('ls /var/lib/launching-soon-backups')).toMatch(/^leads-.+Z\.db\n$/)
  expect(machine.print('journalctl -o cat -u "launching-soon@*"')).toContain('Migrated the tables\n')
  expect(machine.print(`curl -fsk https://example.com/${script}`)).toContain('function')
  expect(subscribe('newer')).toBe('200')
  expect(machine.run(commandsOfReadme('/opt/launching-soon/previous', 1)).status).toBe(0)
  expect(currentRelease()).toBe(release)
  expect(subscribers()).toContain('newer@example.com')
  expect(subscribe('older')).toBe('200')
})

test.each([
  ['migration', 'server/storage/migrations.ts', addBadMigration, /syntax error.* Nothing that runs was/],
  ['unit', 'deploy/launching-soon@.service', addFault, /Port 8081: .*It fails on purpose\. - Back on/],
])('an update whose %s fails says so, and the old release keeps running', (part, file, change, reason) => {
  const { status, stderr } = install(makeVariant(release, `launching-soon-bad-${part}`, file, change))
  expect(stderr).toMatch(reason)
  expect([status, currentRelease(), subscribe('goes-on')]).toEqual([1, release, '200'])
})

test('systemd starts a server again after each crash', () => {
  expect(subscribe('before-it-died')).toBe('200')
  // More often than systemd allows by default.
  machine.until(`systemctl kill -s KILL launching-soon@8081
    [ "$(systemctl show -P NRestarts launching-soon@8081)" -gt 6 ]`)
  machine.until(READY)
  expect(subscribers()).toContain('before-it-died@')
})

test('the commands of the document restore the newest backup', () => {
  expect(subscribe('kept')).toBe('200')
  machine.print(commandsOfReadme('systemctl start launching-soon-nightly', 1))
  expect(subscribe('late')).toBe('200')
  machine.print(commandsOfReadme("systemctl stop 'launching-soon@*'", 3))
  machine.until(READY)
  expect(subscribers()).toContain('kept@')
  expect(subscribers()).not.toContain('late@')
  expect(subscribe('after')).toBe('200')
})

test('the nightly task has a timer', () => {
  expect(machine.print('systemctl list-timers')).toContain('launching-soon-nightly.timer')
})

test('systemd gives both services few rights', () => {
  const units = 'launching-soon@8081.service launching-soon-nightly.service'
  // The threshold is in tenths. The command exits with 1 if a service is above it.
  expect(machine.run(`systemd-analyze security --no-pager --threshold=15 ${units}`)).toMatchObject({ status: 0 })
})

/** Starts a mail server on the machine, for the length of a test. */
function startMailbox() {
  const program = resolve('tests/support/server/machine/mailbox.ts')
  machine.print(`systemd-run --quiet --unit=mailbox ${process.execPath} ${program}`)
  onTestFinished(() => void machine.print('systemctl stop mailbox'))
  machine.until('ss -Hltn "sport = :25" | grep -q .')
}

test('mail needs a valid certificate over a network, but not on the same machine', () => {
  startMailbox()
  machine.print('ip address add 192.0.2.1/32 dev lo')
  const addresses = 'NOTIFY_FROM=leads@example.com NOTIFY_TO=staff@example.com'
  const send = (host: string) => machine.run(`NOTIFY_SMTP_URL=smtp://${host}:25 ${addresses} leads notify-test`)
  expect(send('localhost').stdout).toBe('mail: delivered (250)\n')
  expect(send('192.0.2.1').stderr).toContain('Its TLS certificate')
})

test('alerts about a server, a nightly task and a timer that stopped come by mail', () => {
  startMailbox()
  addSetting('KEEP_BACKUPS=none')
  onTestFinished(() => void machine.print('systemctl restart launching-soon@8081 launching-soon-nightly.timer'))
  machine.print(commandsOfReadme('cd /opt/launching-soon/current/deploy && cp prom', 5))
  machine.print(`cd /etc/prometheus && sed -i 's/15s/1s/g; s/for: .*[mh]$/for: 1s/; s/group_wait: 10s/group_wait: 1s/' *.yml
    systemctl restart prometheus prometheus-alertmanager prometheus-node-exporter`)
  machine.run('systemctl stop launching-soon@8081 launching-soon-nightly.timer; systemctl start launching-soon-nightly')
  const printedMails = 'journalctl -o cat -u mailbox'
  for (const alert of ['127.0.0.1:18081 does not answer', 'No backup or deletion last night', 'No backup will be made'])
    machine.until(`${printedMails} | tr -d '=\\n' | grep -qF '${alert}'`)
})
