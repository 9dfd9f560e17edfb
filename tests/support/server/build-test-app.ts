import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../../server/app.ts'
import type { AccessPolicy } from '../../../server/http/access.ts'
import { createLog } from '../../../server/observability/log.ts'
import { createMetrics } from '../../../server/observability/metrics.ts'
import { writeBuiltPage } from './built-page.ts'
import { type DATABASES, makeDatabase, makeStore } from './databases.ts'

/** Lets as many calls through as a test makes. */
const OPEN_ACCESS: AccessPolicy = { publicOrigin: null, rateLimits: null, trustProxy: [], revealExisting: true }

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>

type Options = {
  readonly database?: (typeof DATABASES)[number]
  readonly access?: Partial<AccessPolicy>
  /** The folder of a built page; one of a few bytes by default. */
  readonly dist?: string
}

/** The whole server but its port, on a database and a built page of its own. */
export async function buildTestApp({ database = 'sqlite', access, dist }: Options = {}) {
  const site = mkdtempSync(join(tmpdir(), 'site-'))
  if (dist) cpSync(dist, site, { recursive: true })
  else writeBuiltPage(site)
  const logLines: string[] = []
  const testDatabase = await makeDatabase(database)
  const db = await testDatabase.open()
  const metrics = createMetrics()
  const store = makeStore(db, { events: metrics.storeEvents })
  const app = await buildApp({
    store,
    site,
    access: { ...OPEN_ACCESS, ...access },
    metrics,
    log: createLog({ write: (line) => logLines.push(line) }),
  })
  return {
    app,
    store,
    /** The database as the app uses it. */
    db,
    rows: testDatabase.rows,
    /** The folder of the built page. */
    site,
    logLines,
    /** Posts JSON, or `body` as it is if it is text. */
    post: (url: string, body: unknown, headers?: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    /** Listens on a port of loopback; its origin. */
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await app.close()
      await store.close()
      await testDatabase.remove()
      rmSync(site, { recursive: true })
    },
  }
}
