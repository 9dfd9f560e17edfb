import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that every user can enter, for the release that test files share. */
    opt: string
  }
}

const PACKAGES =
  'strace nginx libatomic1 systemd systemd-container dbus openssl curl iproute2 procps docker.io docker-compose ' +
  'prometheus prometheus-alertmanager prometheus-node-exporter firefox-esr webkit2gtk-driver xvfb pgloader'

/** Global setup of the tests of the system: names all missing packages at once. */
export default function setup(project: TestProject) {
  const { status, stderr } = spawnSync('sh', ['-c', `dpkg -s ${PACKAGES}`], { encoding: 'utf8' })
  if (process.getuid?.() !== 0 || status !== 0)
    throw new Error(`The tests of the system run as root on Debian: apt-get install ${PACKAGES}\n${stderr}`)
  const opt = mkdtempSync(join(tmpdir(), 'opt-'))
  chmodSync(opt, 0o755)
  project.provide('opt', opt)
  return () => rmSync(opt, { recursive: true })
}
