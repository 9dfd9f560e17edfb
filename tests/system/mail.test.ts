import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('mail needs a valid certificate over a network, but not on the same machine', () => {
  // In a network of its own, in which the mail server has an address that is not of loopback.
  const send = (host: string) => {
    const script = `ip link set lo up; ip address add 192.0.2.1/32 dev lo
      "$0" tests/support/server/mailbox.ts &
      until ss -Hltn 'sport = :25' | grep -q .; do sleep 0.1; done
      "$0" server/leads/main.ts notify-test; kill $!`
    const env = {
      ...process.env,
      NOTIFY_SMTP_URL: `smtp://${host}:25`,
      NOTIFY_FROM: 'a@b.example',
      NOTIFY_TO: 'a@b.example',
    }
    return spawnSync('unshare', ['--net', 'sh', '-c', script, process.execPath], { env, encoding: 'utf8' })
  }
  expect(send('localhost').stderr + send('localhost').stdout).toContain('mail: delivered (250)\n')
  expect(send('192.0.2.1').stderr).toContain('Its TLS certificate')
})
