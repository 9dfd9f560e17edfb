import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const TOOLS = resolve('tests/support/server/machine')

export type Machine = Awaited<ReturnType<typeof bootMachine>>

/**
 * This system once more, to install something on: with its own network, processes and folders where install.sh writes. There
 * is no systemd, and a `systemctl` of the tests starts servers.
 */
export async function bootMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'))
  const namespaces = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc']
  const machine = spawn('unshare', [...namespaces, join(TOOLS, 'boot'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(machine, 'close')
  const [said] = await Promise.race([once(machine.stdout, 'data'), ended])
  if (!String(said).startsWith('ready')) throw new Error('The machine did not boot.')
  const { stdout: first } = spawnSync('pgrep', ['-P', `${machine.pid}`], { encoding: 'utf8' })
  const PATH = `${TOOLS}:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`
  const run = (script: string, env: NodeJS.ProcessEnv = {}) =>
    spawnSync('nsenter', ['--all', '--target', first.trim(), 'sh', '-ec', script], {
      env: { PATH, ...env },
      encoding: 'utf8',
    })
  return {
    /** Runs a script by a shell of root. */
    run,
    /** Subscribes NAME@example.com through nginx, and tells the status. */
    subscribe: (name: string) =>
      run(`curl -sk --resolve example.com:443:127.0.0.1 https://example.com/api/subscribe -o /dev/null \\
        -w '%{http_code}' -H 'Content-Type: application/json' -d '{"email":"${name}@example.com"}'`).stdout,
    /** All that install.sh wrote into /etc. */
    files: () =>
      run('cat /etc/launching-soon* /etc/systemd/system/launching-soon* /etc/nginx/*/launching-soon*').stdout,
    /** The name of the release that runs. */
    current: () => run('basename "$(readlink /opt/launching-soon/current)"').stdout.trim(),
    async remove() {
      machine.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
