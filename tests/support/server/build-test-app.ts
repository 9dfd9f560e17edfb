import { resolve } from 'node:path'
import { buildApp } from '../../../server/app.ts'
import { createLog } from '../../../server/log.ts'
import { createMetrics } from '../../../server/metrics.ts'
import { readSettings, type Settings } from '../../../server/settings.ts'
import { makeDatabase, makeStore } from './databases.ts'
import { makeServerFolder } from './server-folder.ts'

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>

/** The whole server without a port, on a new SQLite file. `dist` is the folder of a built page. */
export async function buildTestApp({ dist, ...settings }: Partial<Settings> & { readonly dist?: string } = {}) {
  const files = makeServerFolder()
  const pageFolder = resolve(dist ?? `${files.folder}/dist`)
  const logLines: string[] = []
  const log = createLog({ write: (line) => logLines.push(line) })
  const database = await makeDatabase()
  const store = makeStore(database)
  const allSettings = { ...readSettings({ RATE_LIMIT: 'off' }), ...settings }
  const metrics = createMetrics(store, database, allSettings)
  const app = await buildApp({ store, pageFolder, settings: allSettings, metrics, log })
  return {
    app,
    store,
    database,
    metrics,
    rows: database.rows,
    /** The folder of the built page. */
    pageFolder,
    logLines,
    /** Posts a call with JSON. */
    post: (url: string, body: object, headers?: Record<string, string>) =>
      app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json', ...headers }, payload: body }),
    /** Listens on a port of loopback, and returns its origin. */
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async close() {
      await app.close()
      await store.close()
      await database.remove()
      await files.remove()
    },
  }
}
