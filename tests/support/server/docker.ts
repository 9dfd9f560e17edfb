import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'

export type Deployment = Awaited<ReturnType<typeof makeDeployment>>

/**
 * A copy of this checkout, and a Docker of its own to deploy it on. Nothing runs there yet. Only the ports on this machine
 * differ from deploy/.
 */
export async function makeDeployment() {
  if (existsSync('/run/docker.sock'))
    throw new Error('Stop the Docker of this machine: two share their firewall rules.')
  const folder = mkdtempSync(join(tmpdir(), 'docker-'))
  const [scripts, run] = [resolve('tests/support/server/docker'), join(folder, 'run')]
  execFileSync(join(scripts, 'get'), [folder], { stdio: 'pipe' })
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    DOCKER_HOST: `unix://${run}/docker.sock`,
    DOCKER_CONFIG: join(folder, 'config'),
  }
  mkdirSync(run)
  const folders = ['--data-root', join(folder, 'data'), '--exec-root', run, '--pidfile', join(run, 'pid')]
  const engine = spawn('dockerd', [...folders, '--host', env.DOCKER_HOST], { env, stdio: 'ignore' })
  const ended = once(engine, 'close')
  process.on('exit', () => engine.kill())
  const checkout = join(folder, 'checkout')
  const deploy = join(checkout, 'deploy')
  /** Runs a script in the folder deploy/ of the copy. */
  const attempt = (script: string) =>
    spawnSync('sh', ['-ec', script], { cwd: deploy, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  /** Returns the output of a script. Throws its output and its errors if it fails. */
  const print = (script: string): string => {
    const { status, stdout, stderr } = attempt(script)
    if (status !== 0) throw new Error(`${script} ended with ${status}: ${stdout}${stderr}`)
    return stdout
  }
  mkdirSync(deploy, { recursive: true })
  await until(() => attempt('docker info').status === 0)
  const files =
    'git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -xC "$0"'
  execFileSync('sh', ['-ec', files, checkout], { stdio: ['ignore', 'ignore', 'ignore'] })
  const caddy = join(folder, 'usr/bin/caddy')
  execFileSync(join(scripts, 'make-images'), [process.execPath, caddy], { env, stdio: 'pipe' })
  const ports = { http: await freePort(), https: await freePort() }
  const published = [`${ports.http}:80`, `${ports.https}:443`]
  const override = `services: { caddy: { ports: !override ${JSON.stringify(published)} } }\n`
  writeFileSync(join(deploy, 'compose.override.yaml'), override)

  return {
    ports,
    /** The folder deploy/ of the copy. */
    deploy,
    attempt,
    print,
    /** Runs a script while the test goes on. Rejects if it fails. */
    background: (script: string) =>
      promisify(execFile)('sh', ['-ec', script], { cwd: deploy, env, maxBuffer: 2 ** 26 }),
    async remove() {
      attempt('docker compose down --volumes; docker ps --all --quiet | xargs -r docker rm --force')
      engine.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** Indented lines of deploy/README.md, from the line that begins with this text. */
export function commandsOfReadme(beginning: string, count = 1): string {
  const lines = readFileSync('deploy/README.md', 'utf8').split('\n')
  const start = lines.findIndex((line) => line.startsWith(`    ${beginning}`))
  if (start === -1) throw new Error(`No line of deploy/README.md begins with ${beginning}.`)
  return lines.slice(start, start + count).join('\n')
}
