import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../support/local-server.ts'

export type Deployment = Awaited<ReturnType<typeof makeDeployment>>

/** Makes a copy of this checkout, and starts a separate Docker on which the copy can be deployed. */
export async function makeDeployment() {
  const folder = mkdtempSync(join(tmpdir(), 'docker-'))
  const env = {
    ...process.env,
    PATH: `${folder}/usr/sbin:${folder}/usr/bin:${process.env.PATH}`,
    DOCKER_HOST: `unix://${folder}/run/docker.sock`,
    DOCKER_CONFIG: join(folder, 'usr/libexec/docker'),
  }
  const engine = spawn(resolve('tests/system/docker.sh'), [folder], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(engine, 'close')
  const started = await Promise.race([once(engine.stdout, 'data'), ended])
  if (engine.exitCode !== null) throw new Error(`docker.sh ended with ${started}.`)
  const deploy = join(folder, 'checkout', 'deploy')
  const ports = { http: await freePort(), https: await freePort() }
  return {
    ports,
    /** Runs a script in the folder deploy/ of the copy. Resolves to its standard output. The error has all its output. */
    run: (script: string) =>
      promisify(execFile)('sh', ['-ec', script], { cwd: deploy, env, maxBuffer: 2 ** 26 }).then(
        ({ stdout }) => stdout,
        ({ message, stdout }) => Promise.reject(new Error(`${message}${stdout}`)),
      ),
    async remove() {
      engine.stdin.end()
      await ended
    },
  }
}

const GUIDES = readFileSync('deploy/README.md', 'utf8') + readFileSync('docs/scaling.md', 'utf8')
const BLOCKS = GUIDES.match(/(^ {4}.+\n)+/gm) ?? []

/** The indented lines of the operator's guides that begin with this text. */
export function linesOfGuide(beginning: string): string {
  const lines = BLOCKS.find((block) => block.startsWith(`    ${beginning}`))
  if (!lines) throw new Error(`No lines of the guides begin with ${beginning}.`)
  return lines.trim()
}
