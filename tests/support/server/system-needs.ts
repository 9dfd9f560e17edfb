import { spawnSync } from 'node:child_process'

const PACKAGES =
  'strace libatomic1 curl git iproute2 iptables procps runc prometheus firefox-esr webkit2gtk-driver xvfb pgloader'

/** Global setup of the tests of the system: names all missing packages at once. */
export default function setup() {
  const { status, stderr } = spawnSync('sh', ['-c', `dpkg -s ${PACKAGES}`], { encoding: 'utf8' })
  if (process.getuid?.() !== 0 || status !== 0)
    throw new Error(`The tests of the system run as root on Debian: apt-get install ${PACKAGES}\n${stderr}`)
}
