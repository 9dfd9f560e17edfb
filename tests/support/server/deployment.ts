import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { PAGES_FILE } from '../../../server/http/security-headers.ts'
import { type Answer, startNginx } from './nginx.ts'
import { createDatabase } from './postgres.ts'
import { expectProblem } from './problem.ts'
import { makeServerFolder, type ServerProcess } from './server-folder.ts'

export type Deployment = Awaited<ReturnType<typeof startDeployment>>

/**
 * nginx before two servers on one PostgreSQL database, a new one unless `env` names another, at https://example.com.
 * It has the page as it is built, and a second one.
 */
export async function startDeployment(env: NodeJS.ProcessEnv) {
  const sandbox = makeServerFolder()
  const dist = join(sandbox.folder, 'dist')
  const readPages = () => JSON.parse(readFileSync(join(dist, PAGES_FILE), 'utf8'))
  const { '/privacy': second } = readPages()
  cpSync('dist', dist, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(dist, PAGES_FILE), JSON.stringify({ ...readPages(), '/privacy': second }))
  const DATABASE_URL = env.DATABASE_URL ?? (await createDatabase(inject('postgresUrl')))
  const ours = { PUBLIC_ORIGIN: 'https://example.com', TRUST_PROXY: '127.0.0.1' }
  const start = (PORT: string) => sandbox.start({ ...ours, ...env, DATABASE_URL, PORT })
  try {
    const servers = [await start('0'), await start('0')] as const
    const nginx = await startNginx([portOf(servers[0]), portOf(servers[1])], dist)
    /** Starts a server that has ended again, on its port. */
    const restart = (server: ServerProcess) => start(portOf(server))
    return {
      nginx,
      servers,
      dist,
      databaseUrl: DATABASE_URL,
      restart,
      remove: () => nginx.remove().then(sandbox.remove),
    }
  } catch (error) {
    await sandbox.remove()
    throw error
  }
}

export const portOf = ({ origin }: ServerProcess): string => new URL(origin).port

/** Holds an answer to the contract's rules for errors. */
export const expectProblemAnswer = ({ status, headers, body }: Answer, expected: number) =>
  expectProblem({ statusCode: status, headers, json: () => JSON.parse(body.toString()) }, expected)

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
