import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type RequestOptions, request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'

export type Nginx = Awaited<ReturnType<typeof startNginx>>

/**
 * Starts Debian's nginx before two servers, with the configuration of deploy/. Only ports and folders differ, and the
 * header X-Client sets the address of a client.
 */
export async function startNginx(ports: readonly [string | number, string | number]) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  // The workers run as another user.
  chmodSync(folder, 0o755)
  const certificate = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=example.com'
  const files = `-keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem`
  execFileSync('openssl', `req ${certificate} ${files}`.split(' '), { stdio: 'ignore' })
  const [plainPort, port] = [await freePort(), await freePort()]
  const site = replaced('deploy/nginx.conf', [
    // Each server has to listen to IPv4 and IPv6, but a test machine may have no IPv6.
    [/listen 80(.*);\s+listen \[::\]:80\1;/g, `listen 127.0.0.1:${plainPort}$1;`],
    [/listen 443(.*);\s+listen \[::\]:443\1;/g, `listen 127.0.0.1:${port}$1;`],
    ['root /var/www/html;', `root ${folder};`],
    ['127.0.0.1:8081', `127.0.0.1:${ports[0]}`],
    ['# server 127.0.0.1:8082', `server 127.0.0.1:${ports[1]}`],
    ['/etc/letsencrypt/live/example.com/', `${folder}/`],
    ['/var/lib/nginx/', `${folder}/`],
    ['/var/log/nginx/', `${folder}/`],
  ])
  if (/listen (80|443|\[)/.test(site)) throw new Error('A server listens to IPv4 or to IPv6 alone.')
  writeFileSync(join(folder, 'site.conf'), `set_real_ip_from 127.0.0.1; real_ip_header X-Client; ${site}`)
  const main = replaced('/etc/nginx/nginx.conf', [
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/etc/nginx/conf.d/*.conf', join(folder, 'site.conf')],
    [/^.*sites-enabled.*$/gm, ''],
  ])
  writeFileSync(join(folder, 'nginx.conf'), main)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'inherit' })
  const exited = once(nginx, 'close')
  const tls = { port, servername: 'example.com', rejectUnauthorized: false }
  const send = (path: string, call?: Call) => sendTo(requestTls, tls, path, call)
  await until(() => nginx.exitCode !== null || send('/').catch(() => false))
  if (nginx.exitCode !== null) throw new Error('nginx did not start.')
  return {
    plainPort,
    port,
    /** A connection to https://example.com. */
    connect: () => connect({ ...tls, host: '127.0.0.1' }),
    /** Calls https://example.com. The path is sent as it is. */
    send,
    /** The text of all its logs. */
    logs: () => execFileSync('sh', ['-c', 'cat *.log'], { cwd: folder, encoding: 'utf8' }),
    async remove() {
      nginx.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

type Call = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export type Answer = Awaited<ReturnType<typeof sendTo>>

/** Calls a server on `port` of this machine. The path is sent as it is. */
export const sendPlain = (port: number, path: string, call?: Call) => sendTo(request, { port }, path, call)

async function sendTo(open: typeof request, to: RequestOptions, path: string, call: Call = {}) {
  const { method = 'GET', headers, body } = call
  const options = { host: '127.0.0.1', path, method, agent: false }
  const sent = open({ ...to, ...options, headers: { host: 'example.com', ...headers } }).end(body)
  const answer: IncomingMessage = await new Promise((resolve, reject) =>
    sent.on('response', resolve).on('error', reject),
  )
  const received = await buffer(answer)
  const json = () => JSON.parse(received.toString())
  return { statusCode: answer.statusCode ?? 0, headers: answer.headers, body: received, json }
}

/** The text of a file after replacements. Throws if a replacement finds nothing, because the file has changed then. */
function replaced(file: string, replacements: readonly [pattern: string | RegExp, replacement: string][]): string {
  let text = readFileSync(file, 'utf8')
  for (const [pattern, replacement] of replacements) {
    const changed = text.replaceAll(pattern, replacement)
    if (changed === text) throw new Error(`Nothing in ${file} is like ${pattern}.`)
    text = changed
  }
  return text
}
