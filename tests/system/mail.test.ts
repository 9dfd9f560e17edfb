import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { bootMachine } from '../support/server/machine.ts'

const NOTIFY_TEST =
  'NOTIFY_SMTP_URL=smtp://localhost NOTIFY_FROM=leads@example.com NOTIFY_TO=root ' +
  `${process.execPath} ${resolve('server/leads/main.ts')} notify-test`

test.each([
  ['postfix', 'var/mail/root'],
  // Exim delivers mail for root to the user mail.
  ['exim4-daemon-light', 'var/mail/mail'],
])("Debian's %s accepts mail for a local mailbox by default", async (name, mailbox) => {
  const archives = join(inject('opt'), name)
  const install = `apt-get install -y --no-install-recommends -o Dir::Cache::archives=${archives} ${name}`
  mkdirSync(join(archives, 'partial'), { recursive: true })
  // The machine has no network. The lists of packages may name files that the archive no longer has.
  const download = `${install} --download-only`
  execFileSync('sh', ['-ec', `${download} || { apt-get update && ${download}; }`], { stdio: 'pipe' })
  const machine = await bootMachine()
  onTestFinished(machine.remove)
  machine.print(`DEBIAN_FRONTEND=noninteractive ${install} && systemctl start ${name.split('-', 1)[0]}`)
  expect(machine.run(NOTIFY_TEST)).toMatchObject({ stdout: 'mail: delivered (250)\n', stderr: '', status: 0 })
  machine.until(`grep -q 'Subject: Test' /${mailbox}`)
})
