import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { inject } from 'vitest'
import { until } from '../until.ts'

export type Machine = Awaited<ReturnType<typeof bootMachine>>

/** A booted Debian: its systemd, and the services of its packages that a test starts. */
export async function bootMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'))
  const boot = resolve('tests/support/server/machine/boot')
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const machine = spawn('unshare', [...namespaces, boot, folder, inject('opt')], { stdio: 'ignore' })
  const ended = once(machine, 'close')
  const childOf = (pid: unknown) => spawnSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' }).stdout.trim()
  /** Runs a script in a shell of root. */
  const run = (script: string) =>
    spawnSync('nsenter', ['--all', '--target', childOf(childOf(machine.pid)), 'sh', '-ec', `cd; ${script}`], {
      env: { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
      encoding: 'utf8',
    })
  /** Returns the output of a script. Throws its output and its errors if it fails. */
  const print = (script: string): string => {
    const { status, stdout, stderr } = run(script)
    if (status !== 0) throw new Error(`${script} ended with ${status}: ${stdout}${stderr}`)
    return stdout
  }
  await until(() => machine.exitCode !== null || /running|degraded/.test(run('systemctl is-system-running').stdout))
  if (machine.exitCode !== null) throw new Error('The machine did not boot.')
  return {
    run,
    print,
    /** Repeats a command until it succeeds, only a few times a second, because each attempt loads the machine. */
    until: (command: string) => print(`n=0; until ${command}; do sleep 0.2; n=$((n + 1)); [ $n -lt 300 ]; done`),
    async remove() {
      machine.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** Copies all files, committed or not, adds a page of another commit, and makes a release of the copy. */
const MAKE_RELEASE = `
git clone --quiet --no-checkout . "$0"
export GIT_DIR="$0/.git"
git add --all
git -c user.name=tests -c user.email=tests@example.com commit --quiet --allow-empty -m 'as it is'
git --work-tree="$0" reset --quiet --hard
unset GIT_DIR
ln -s "$PWD/node_modules" "$0"
mkdir "$0/dist"
echo 'of another commit' >"$0/dist/index.html"
cd "$0"
PUBLIC_ORIGIN=https://example.com deploy/make-release.sh ..
cd ..
sha256sum -c *.tar.gz.sha256
tar -xzf *.tar.gz`

/** Returns the name of a release for https://example.com, which is unpacked in a folder that all tests share. */
export function unpackedRelease(): string {
  const checkout = join(inject('opt'), 'checkout')
  if (!existsSync(checkout)) execFileSync('sh', ['-ec', MAKE_RELEASE, checkout], { stdio: 'pipe' })
  return basename(readdirSync(inject('opt')).find((name) => name.endsWith('.tar.gz')) ?? '', '.tar.gz')
}

/** Indented lines of deploy/README.md, from the line that begins with this text, for the release of this name. */
export function commandsOfReadme(beginning: string, count: number, release = ''): string {
  const lines = readFileSync('deploy/README.md', 'utf8').split('\n')
  const start = lines.findIndex((line) => line.startsWith(`    ${beginning}`))
  if (start === -1) throw new Error(`No line of deploy/README.md begins with ${beginning}.`)
  const commands = lines.slice(start, start + count).join('\n')
  return commands.replaceAll('launching-soon-COMMIT', release)
}

/** Makes a copy of a release in which one file differs. Returns the name of the copy. */
export function makeVariant(release: string, name: string, file: string, change: (text: string) => string): string {
  const variant = join(inject('opt'), name)
  execFileSync('cp', ['-al', join(inject('opt'), release), variant])
  const text = readFileSync(join(variant, file), 'utf8')
  rmSync(join(variant, file))
  writeFileSync(join(variant, file), change(text))
  return name
}
