import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type Agent, request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { nginxRelease } from '../../../deploy/nginx-release.ts'
import { freePort } from './free-port.ts'

/** Addresses of loopback for clients: so many that each server gets some, however nginx hashes them. */
export const CLIENTS: readonly string[] = Array.from({ length: 64 }, (_, i) => `127.0.0.${i + 1}`)

const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy')

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

type Call = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** The client's address, of loopback. */
  readonly from?: string
  /** Keeps connections open. By default each call opens its own. */
  readonly agent?: Agent
}

export type Nginx = Awaited<ReturnType<typeof startNginx>>

/** Debian's nginx with the configuration of deploy/, and `dist`, before two servers: only ports and folders differ. */
export async function startNginx(ports: readonly [string, string], dist = 'dist') {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  // The workers run as another user.
  chmodSync(folder, 0o755)
  cpSync(dist, join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
  const ca = makeCertificate(folder)
  writeFileSync(join(folder, 'release.conf'), nginxRelease(join(folder, 'dist')))
  const [plainPort, port] = [await freePort(), await freePort()]
  const replacements: [string | RegExp, string][] = [
    // A machine may have no IPv6.
    [/listen \[::\].*\n/g, '\n'],
    [/listen 80\b/, `listen 127.0.0.1:${plainPort}`],
    [/listen 443\b/, `listen 127.0.0.1:${port}`],
    ['127.0.0.1:8081', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:8082', `127.0.0.1:${ports[1]}`],
    ['/etc/letsencrypt/live/example.com/', `${folder}/`],
    ['/etc/nginx/snippets/launching-soon-release.conf', `${folder}/release.conf`],
    ['/var/log/nginx/', `${folder}/`],
  ]
  writeFileSync(join(folder, 'site.conf'), replaced(readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8'), replacements))
  const main = replaced(readFileSync('/etc/nginx/nginx.conf', 'utf8'), [
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/etc/nginx/conf.d/*.conf', join(folder, 'site.conf')],
    [/^.*sites-enabled.*$/m, ''],
  ])
  writeFileSync(join(folder, 'nginx.conf'), main)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-g', 'daemon off;'])
  let said = ''
  nginx.stderr.on('data', (chunk) => {
    said += chunk
  })
  const exited = once(nginx, 'close')
  const send = (path: string, call: Call = {}): Promise<Answer> =>
    sendTo((options) => requestTls({ ...options, port, ca, servername: 'example.com' }), path, call)
  while (!(await send('/').catch(() => null))) {
    if (nginx.exitCode !== null) {
      rmSync(folder, { recursive: true })
      throw new Error(`nginx did not start: ${said}`)
    }
    await setTimeout(50)
  }
  const logs = () =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('')
  return {
    pid: nginx.pid,
    plainPort,
    port,
    /** A connection to https://example.com, from an address of loopback. */
    connect: (from: string, protocol?: 'h2') =>
      connect({
        ...{ host: '127.0.0.1', port, localAddress: from },
        ...{ ca, servername: 'example.com', ALPNProtocols: protocol && [protocol] },
      }),
    /** Calls https://example.com. The path is sent as it is. */
    send,
    /** Everything in its logs. */
    logs: () => said + logs(),
    async remove() {
      nginx.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

/** Calls a server on `port` of this machine. The path is sent as it is. */
export const sendPlain = (port: number | string, path: string, call: Call = {}): Promise<Answer> =>
  sendTo((options) => request({ ...options, port }), path, call)

async function sendTo(
  open: (options: object) => ReturnType<typeof request>,
  path: string,
  { method = 'GET', headers, body, from = '127.0.0.1', agent }: Call,
): Promise<Answer> {
  const options = { host: '127.0.0.1', path, method, localAddress: from, agent: agent ?? false }
  const sent = open({ ...options, headers: { host: 'example.com', ...headers } })
  sent.end(body)
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  if (!answer) throw new Error('no answer')
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
}

function makeCertificate(folder: string): Buffer {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const name = ['-subj', '/CN=example.com', '-addext', 'subjectAltName=DNS:example.com']
  const files = ['-nodes', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...name, ...files], {
    stdio: 'ignore',
  })
  return readFileSync(certificate)
}

/** Fails where a text is missing, so that the configuration under test stays that of deploy/. */
function replaced(text: string, replacements: readonly [string | RegExp, string][]): string {
  return replacements.reduce((before, [from, to]) => {
    const after = before.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'gm'), to)
    if (after === before) throw new Error(`found nothing like ${from}`)
    return after
  }, text)
}
