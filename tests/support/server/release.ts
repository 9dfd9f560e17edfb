import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'

/** A checkout of the last commit, with a page that was built from another. */
export function makeCheckout(checkout: string): string {
  execFileSync('git', ['clone', '--quiet', '.', checkout])
  execFileSync('ln', ['-s', resolve('node_modules'), checkout])
  mkdirSync(join(checkout, 'dist'))
  writeFileSync(join(checkout, 'dist/index.html'), 'of another commit')
  return checkout
}

/** Runs make-release.sh there, whose archive is then beside the checkout. */
export const makeRelease = (checkout: string, env: NodeJS.ProcessEnv) =>
  spawnSync(join('deploy', 'make-release.sh'), [dirname(checkout)], {
    cwd: checkout,
    env: { ...process.env, PUBLIC_ORIGIN: '', ...env },
    encoding: 'utf8',
  })

/** Another release, beside a first, of which one file differs. */
export function makeNext(release: string, name: string, file: string, change: (text: string) => string): void {
  const next = join(dirname(release), name)
  execFileSync('cp', ['-al', release, next])
  const text = readFileSync(join(next, file), 'utf8')
  rmSync(join(next, file))
  writeFileSync(join(next, file), change(text))
}

/** Runs the server of a release as its unit does, as a user of its own, until the end of the test. */
export async function startRelease(release: string, user: number, env: NodeJS.ProcessEnv) {
  const child = spawn(join(release, 'bin', 'node'), ['server/main.ts'], {
    cwd: release,
    env: { NODE_ENV: 'production', PORT: '0', METRICS_PORT: '0', ...env },
    uid: user,
    gid: user,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  onTestFinished(async () => void (await stop('SIGKILL')))
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await until(() => said.includes('Data in '))
  const [, origin = ''] = /Listening on (\S+)/.exec(said) ?? []
  const [, metrics = ''] = /Metrics on (\S+)/.exec(said) ?? []
  return { stop, origin, metrics }
}
