import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { type Answer, type Nginx, startNginx } from '../../../scripts/nginx.ts'
import { createDatabase } from '../../../scripts/postgres.ts'
import { type ServerProcess, startServer } from '../../../scripts/server-process.ts'
import { answerValidator } from '../contract/contract.ts'

export type Deployment = {
  readonly nginx: Nginx
  readonly servers: readonly [ServerProcess, ServerProcess]
  readonly databaseUrl: string
  /** Starts a server that has ended again, on its port. */
  restart(server: ServerProcess): Promise<ServerProcess>
  remove(): Promise<void>
}

/** nginx before two servers on one PostgreSQL database, a new one unless `env` names another, with the page as it is built, at https://example.com. */
export async function startDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'servers-'))
  cpSync('dist', join(folder, 'dist'), { recursive: true, preserveTimestamps: true })
  const databaseUrl = env.DATABASE_URL ?? (await createDatabase(inject('postgresUrl')))
  const started: ServerProcess[] = []
  async function start(port: string) {
    const ours = { DATABASE_URL: databaseUrl, PUBLIC_ORIGIN: 'https://example.com', TRUST_PROXY: '127.0.0.1' }
    const server = await startServer(folder, { ...ours, ...env, PORT: port })
    started.push(server)
    return server
  }
  async function remove(nginx?: Nginx) {
    await nginx?.remove()
    for (const server of started) server.signal('SIGKILL')
    await Promise.all(started.map(({ exited }) => exited))
    rmSync(folder, { recursive: true })
  }
  try {
    const servers = [await start('0'), await start('0')] as const
    const nginx = await startNginx([portOf(servers[0]), portOf(servers[1])])
    return { nginx, servers, databaseUrl, restart: (server) => start(portOf(server)), remove: () => remove(nginx) }
  } catch (error) {
    await remove()
    throw error
  }
}

export const portOf = ({ origin }: ServerProcess): string => new URL(origin).port

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const subscription = (email: string) => json({ email })

export const enquiry = (msg: string) =>
  json({ name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg })

const isProblem = answerValidator('subscribe', 503)

/** Holds an answer to the contract's rules for errors. */
export function expectProblemAnswer({ status, headers, body }: Answer, expected: number): void {
  expect(status).toBe(expected)
  expect([headers['content-type'], headers['cache-control']]).toEqual(['application/problem+json', 'no-store'])
  const problem = JSON.parse(body.toString())
  expect([isProblem(problem), problem.status]).toEqual([true, expected])
  if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
}

const LINE =
  /^[\d-]{10}T[\d:]{8}\+\d\d:\d\d (?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|-) \d{3} \d+\.\d{3} upstream_addr="(.*)" upstream_status="[\d, -]+" upstream_connect_time="[\d., -]+" upstream_response_time="[\d., -]+"$/

/** Holds every log of nginx to lines of a time, a method, a status, durations and our servers: no address, no path. */
export function expectBareLogs({ nginx, servers }: Pick<Deployment, 'nginx' | 'servers'>): void {
  const ours = ['-', 'launching_soon', ...servers.map((server) => `127.0.0.1:${portOf(server)}`)]
  const isBare = (line: string) =>
    LINE.exec(line)?.[1]
      ?.split(', ')
      .every((upstream) => ours.includes(upstream))
  const lines = nginx.logs().split('\n').slice(0, -1)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => !isBare(line))).toEqual([])
}
