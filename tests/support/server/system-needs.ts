import { spawnSync } from 'node:child_process'

const PACKAGES =
  'strace nginx libnginx-mod-http-brotli-static libatomic1 systemd openssl curl iproute2 procps firefox-esr webkit2gtk-driver xvfb'

/** Each need, and a command that fails where it is not there. */
const NEEDS = {
  root: 'test $(id -u) = 0',
  'leave to mount a tmpfs': 'd=$(mktemp -d) && mount -t tmpfs -o size=64k tmpfs $d && umount $d && rmdir $d',
  'leave to make namespaces': 'unshare --mount --net --pid --fork true',
  ...Object.fromEntries(PACKAGES.split(' ').map((name) => [name, `dpkg -s ${name}`])),
}

/** Global setup of the tests of the system: names all that is missing at once. */
export default function checkSystemNeeds(): void {
  const isMissing = (command: string) => spawnSync('sh', ['-c', command]).status !== 0
  const missing = Object.entries(NEEDS).flatMap(([name, command]) => (isMissing(command) ? [name] : []))
  if (missing.length === 0) return
  throw new Error(
    `The tests of the system lack ${missing.join(', ')}. They run as root on Debian: apt-get install ${PACKAGES}`,
  )
}
