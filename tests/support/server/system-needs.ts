import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that everybody can enter, for the release that test files share. */
    opt: string
  }
}

const PACKAGES = [
  'strace nginx libatomic1 systemd systemd-container dbus openssl curl iproute2 procps python3-minimal docker.io docker-compose',
  'prometheus prometheus-alertmanager prometheus-node-exporter firefox-esr webkit2gtk-driver xvfb pgloader',
].join(' ')

/** Each need, and a command that fails where it is not there. */
const NEEDS = {
  root: 'test $(id -u) = 0',
  'leave to mount a tmpfs': 'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs $d && umount $d && rmdir $d',
  'leave to make namespaces': 'unshare --mount --pid --fork true',
  ...Object.fromEntries(PACKAGES.split(' ').map((name) => [name, `dpkg -s ${name}`])),
}

/** Global setup of the tests of the system: names all that is missing at once. */
export default function setup(project: TestProject) {
  const isMissing = (command: string) => spawnSync('sh', ['-c', command]).status !== 0
  const missing = Object.entries(NEEDS).flatMap(([name, command]) => (isMissing(command) ? [name] : []))
  if (missing.length > 0)
    throw new Error(
      `The tests of the system lack ${missing.join(', ')}. They run as root on Debian: apt-get install ${PACKAGES}`,
    )
  const opt = mkdtempSync(join(tmpdir(), 'opt-'))
  chmodSync(opt, 0o755)
  project.provide('opt', opt)
  return () => rmSync(opt, { recursive: true })
}
