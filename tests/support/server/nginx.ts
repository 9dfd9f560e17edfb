import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { type Agent, type RequestOptions, request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { inject } from 'vitest'
import { until } from '../until.ts'
import { freePort } from './free-port.ts'
import { createDatabase } from './postgres.ts'
import { makeServerFolder, type ServerProcess } from './server-folder.ts'

export type Deployment = Awaited<ReturnType<typeof startDeployment>>

/** nginx before two servers on one PostgreSQL database, a new one unless `env` names another, at https://example.com. */
export async function startDeployment(env: NodeJS.ProcessEnv) {
  const sandbox = makeServerFolder()
  const databaseUrl = env.DATABASE_URL ?? (await createDatabase(inject('postgresUrl')))
  const ours = { PUBLIC_ORIGIN: 'https://example.com', TRUST_PROXY: '127.0.0.1', DATABASE_URL: databaseUrl }
  const start = (PORT: string) => sandbox.start({ ...ours, ...env, PORT })
  const servers = [await start('0'), await start('0')] as const
  const nginx = await startNginx([portOf(servers[0]), portOf(servers[1])]).catch(async (error) => {
    await sandbox.remove()
    throw error
  })
  return {
    ...{ nginx, servers, databaseUrl, dist: join(sandbox.folder, 'dist') },
    /** Starts a server that has ended again, on its port. */
    restart: (server: ServerProcess) => start(portOf(server)),
    remove: () => nginx.remove().then(sandbox.remove),
  }
}

export const portOf = ({ origin }: ServerProcess): string => new URL(origin).port

export type Nginx = Awaited<ReturnType<typeof startNginx>>

/** Debian's nginx with the configuration of deploy/ before two servers: only ports and folders differ. */
export async function startNginx(ports: readonly [string, string]) {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  // The workers run as another user.
  chmodSync(folder, 0o755)
  const certificate = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=example.com'.split(' ')
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const name = ['-addext', 'subjectAltName=DNS:example.com']
  execFileSync('openssl', ['req', ...certificate, ...name, ...files], { stdio: 'ignore' })
  const ca = readFileSync(join(folder, 'fullchain.pem'))
  const [plainPort, port, clientPort] = [await freePort(), await freePort(), await freePort()]
  const site = replaced('deploy/nginx.conf', [
    // A machine may have no IPv6, but each server has to listen to both.
    [/listen 80(.*);\s+listen \[::\]:80\1;/g, `listen 127.0.0.1:${plainPort}$1;`],
    [/listen 443(.*);\s+listen \[::\]:443\1;/g, `listen 127.0.0.1:${port}$1;`],
    ['root /var/www/html;', `root ${folder};`],
    ['127.0.0.1:8081', `127.0.0.1:${ports[0]}`],
    ['# server 127.0.0.1:8082', `server 127.0.0.1:${ports[1]}`],
    ['/etc/letsencrypt/live/example.com/', `${folder}/`],
    ['/var/lib/nginx/', `${folder}/`],
    ['/var/log/nginx/', `${folder}/`],
  ])
  if (/listen (80|443|\[)/.test(site)) throw new Error('a server listens to IPv4 or to IPv6 alone')
  const tellClient = `listen 127.0.0.1:${clientPort}; set_real_ip_from 127.0.0.1; return 200 $launching_soon_client;`
  writeFileSync(join(folder, 'site.conf'), `${site} server { access_log off; ${tellClient} }`)
  const main = replaced('/etc/nginx/nginx.conf', [
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/', `${folder}/`],
    ['/etc/nginx/conf.d/*.conf', join(folder, 'site.conf')],
    [/^.*sites-enabled.*$/gm, ''],
  ])
  writeFileSync(join(folder, 'nginx.conf'), main)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-g', 'daemon off;'])
  let said = ''
  nginx.stderr.on('data', (chunk) => {
    said += chunk
  })
  const exited = once(nginx, 'close')
  const tls = { port, ca, servername: 'example.com' }
  const send = (path: string, call?: Call) => sendTo(requestTls, tls, path, call)
  await until(() => nginx.exitCode !== null || send('/').catch(() => false))
  if (nginx.exitCode !== null) throw new Error(`nginx did not start: ${said}`)
  const logFiles = () => readdirSync(folder).filter((name) => name.endsWith('.log'))
  return {
    plainPort,
    port,
    /** Answers what the client in X-Real-IP counts as. */
    clientPort,
    /** A connection to https://example.com, from an address of loopback. */
    connect: (from: string, protocol?: 'h2') =>
      connect({ ...tls, ...{ host: '127.0.0.1', localAddress: from }, ALPNProtocols: protocol && [protocol] }),
    /** Calls https://example.com. The path is sent as it is. */
    send,
    /** Everything in its logs. */
    logs: () =>
      said +
      logFiles()
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join(''),
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
  /** The client's address, of loopback. */
  readonly from?: string
  /** Keeps connections open. By default each call opens its own. */
  readonly agent?: Agent
}

export type Answer = Awaited<ReturnType<typeof sendTo>>

/** Calls a server on `port` of this machine. The path is sent as it is. */
export const sendPlain = (port: number | string, path: string, call?: Call) => sendTo(request, { port }, path, call)

async function sendTo(open: typeof request | typeof requestTls, to: RequestOptions, path: string, call: Call = {}) {
  const { method = 'GET', headers, body, from = '127.0.0.1', agent = false } = call
  const options = { host: '127.0.0.1', path, method, localAddress: from, agent }
  const sent = open({ ...to, ...options, headers: { host: 'example.com', ...headers } })
  sent.end(body)
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  if (!answer) throw new Error('no answer')
  const received = await buffer(answer)
  const json = () => JSON.parse(received.toString())
  return { statusCode: answer.statusCode ?? 0, headers: answer.headers, body: received, json }
}

/** Fails where a text is missing, so that the configuration under test stays that of deploy/. */
function replaced(file: string, replacements: readonly [string | RegExp, string][]): string {
  return replacements.reduce(
    (before, [from, to]) => {
      const after = before.replaceAll(from, to)
      if (after === before) throw new Error(`found nothing like ${from}`)
      return after
    },
    readFileSync(file, 'utf8'),
  )
}
