import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { anEnquiry, bodyOf } from '../support/enquiries.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

/** This machine's own mail server, told by what people know of it. */
const MAIL = { NOTIFY_SMTP_URL: 'smtp://localhost', NOTIFY_FROM: 'leads@example.com', NOTIFY_TO: 'root' }

/** A machine that has this package as its mail server, apart from ours. */
async function bootMachine(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mail-'))
  const namespaces = ['--mount', '--uts', '--pid', '--fork', '--kill-child', '--mount-proc']
  const machine = spawn('unshare', [...namespaces, resolve('tests/support/server/machine/mail-server'), name, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(machine, 'close')
  const [said] = await Promise.race([once(machine.stdout, 'data'), ended])
  if (!String(said).startsWith('ready')) throw new Error(`There is no machine with ${name}.`)
  const { stdout: first } = spawnSync('pgrep', ['-P', `${machine.pid}`], { encoding: 'utf8' })
  return {
    /** Runs a script by a shell of root, in this folder, with these settings alone. */
    run: (script: string, env: NodeJS.ProcessEnv = {}, cwd = process.cwd()) =>
      spawnSync('nsenter', ['--all', '--target', first.trim(), 'sh', '-ec', `cd '${cwd}'; ${script}`], {
        env: { PATH: `${process.env.PATH}`, ...env },
        encoding: 'utf8',
        timeout: TEST_TIMEOUT,
      }),
    /** A path of the mail server's system. */
    path: (path: string) => join(folder, 'system', path),
    async remove() {
      machine.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

const NOTIFY_TEST = `'${process.execPath}' server/leads/main.ts notify-test`

describe.each([
  ['postfix', 'var/mail/root'],
  // Exim gives root's mail to the user mail.
  ['exim4-daemon-light', 'var/mail/mail'],
])('Debian with %s, as installed,', (name, mailbox) => {
  let machine: Awaited<ReturnType<typeof bootMachine>>
  // Packages take their time on a busy machine.
  beforeAll(async () => {
    machine = await bootMachine(name)
    return machine.remove
  }, 600_000)

  test('brings the test message of leads to a mailbox', async () => {
    expect(machine.run(NOTIFY_TEST, MAIL)).toMatchObject({ stdout: 'mail: delivered (250)\n', stderr: '', status: 0 })
    await until(() => machine.run(`grep -F 'Subject: Test' '${machine.path(mailbox)}'`).stdout)
  })

  test('brings an enquiry from the server to a mailbox', () => {
    const sandbox = makeServerFolder()
    onTestFinished(sandbox.remove)
    const server = `'${process.execPath}' '${resolve('server/main.ts')}'`
    const { status } = machine.run(
      `${server} & until curl -sf 127.0.0.1:8080/readyz; do sleep 0.1; done
      curl -sf 127.0.0.1:8080/api/contact-us -H "idempotency-key: ${crypto.randomUUID()}" --json "$BODY"
      until grep -F 'Subject: Enquiry 1' '${machine.path(mailbox)}'; do sleep 0.1; done
      kill $!`,
      { ...MAIL, BODY: JSON.stringify(bodyOf(anEnquiry())) },
      sandbox.folder,
    )
    expect(status).toBe(0)
  })

  if (name === 'postfix')
    test('needs a certificate that is right where the way leads by a network', () => {
      const trusted = { NOTIFY_SMTP_CA: machine.path('etc/ssl/certs/ssl-cert-snakeoil.pem') }
      const sendTo = (host: string, settings: NodeJS.ProcessEnv = {}) => {
        const to = { NOTIFY_SMTP_URL: `smtp://${host}:25`, NOTIFY_TO: 'root@mail.example.com' }
        const { stdout, stderr } = machine.run(NOTIFY_TEST, { ...MAIL, ...to, ...settings })
        return stdout + stderr
      }
      expect(sendTo('mail.example.com')).toMatch(
        '(DEPTH_ZERO_SELF_SIGNED_CERT mail.example.com:25). Its TLS certificate',
      )
      expect(sendTo('mail.example.com', trusted)).toBe('mail: delivered (250)\n')
      expect(sendTo('other.example.com', trusted)).toMatch('(ERR_TLS_CERT_ALTNAME_INVALID other.example.com:25)')
    })
  // Exim listens at 127.0.0.1 and ::1 alone.
  else
    test('is found by the second address that /etc/hosts has, where the first one refuses', () => {
      const twice = { ...MAIL, NOTIFY_SMTP_URL: 'smtp://twice.example.com:25', NOTIFY_TO: 'root@mail.example.com' }
      expect(machine.run(NOTIFY_TEST, twice)).toMatchObject({ stdout: 'mail: delivered (250)\n', stderr: '' })
    })
})
