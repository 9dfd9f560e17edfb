import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGES = 'strace nginx libnginx-mod-http-brotli-static systemd openssl'

/** What each need is called, and how to tell that it is there. */
const NEEDS: Record<string, () => unknown> = {
  root: () => process.getuid?.() === 0 || fail(),
  strace: () => execFileSync('strace', ['-V']),
  nginx: () => execFileSync('nginx', ['-v'], { stdio: 'ignore' }),
  'the brotli module of nginx': () => existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so') || fail(),
  'systemd-analyze': () => execFileSync('systemd-analyze', ['--version']),
  openssl: () => execFileSync('openssl', ['version']),
  'leave to mount a tmpfs': mountOnce,
}

/** Global setup of the tests of the system: names all that is missing at once. */
export default function checkSystemNeeds(): void {
  const missing = Object.entries(NEEDS).flatMap(([name, look]) => (succeeds(look) ? [] : [name]))
  if (missing.length === 0) return
  throw new Error(
    `The tests of the system lack ${missing.join(', ')}. They run as root on Debian: apt-get install ${PACKAGES}`,
  )
}

function mountOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
  } finally {
    rmdirSync(folder)
  }
}

function fail(): never {
  throw new Error('not there')
}

function succeeds(look: () => unknown): boolean {
  try {
    look()
    return true
  } catch {
    return false
  }
}
