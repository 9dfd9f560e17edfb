import { spawnSync } from 'node:child_process'

const PACKAGES = 'strace nginx libnginx-mod-http-brotli-static systemd openssl firefox-esr webkit2gtk-driver xvfb'

/** What each need is called, and a command that fails where it is not there. */
const NEEDS = {
  root: 'test $(id -u) = 0',
  strace: 'strace -V',
  nginx: 'nginx -v',
  'the brotli module of nginx': 'test -e /usr/lib/nginx/modules/ngx_http_brotli_static_module.so',
  'systemd-analyze': 'systemd-analyze --version',
  openssl: 'openssl version',
  'Firefox ESR': 'firefox-esr --version',
  'the driver of WebKitGTK': 'WebKitWebDriver --help',
  Xvfb: 'command -v Xvfb',
  'leave to mount a tmpfs': 'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs $d && umount $d && rmdir $d',
}

/** Global setup of the tests of the system: names all that is missing at once. */
export default function checkSystemNeeds(): void {
  const missing = Object.entries(NEEDS).flatMap(([name, command]) =>
    spawnSync('sh', ['-c', command]).status === 0 ? [] : [name],
  )
  if (missing.length === 0) return
  throw new Error(
    `The tests of the system lack ${missing.join(', ')}. They run as root on Debian: apt-get install ${PACKAGES}`,
  )
}
