// A server for server.ts, until that disconnects: the app over the store that the arguments name, or the bare handler.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { buildApp } from '../../server/app.ts'
import { createLog } from '../../server/observability/logging.ts'
import { createMetrics } from '../../server/observability/metrics.ts'
import type { Database } from '../../server/storage/database.ts'
import { parseDatabaseUrl } from '../../server/storage/database-url.ts'
import { insertSubscribers } from '../../server/storage/lead-rows.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { sqlStore } from '../../server/storage/sql-store.ts'
import type { Store } from '../../server/storage/store.ts'

const ACCESS = { publicOrigin: null, rateLimits: null, trustProxy: [], revealExisting: true }

const [site = '', kind = '', databaseUrl = ''] = process.argv.slice(2)
const metrics = createMetrics()
process.on('disconnect', () => process.exit())
process.send?.(await (kind === 'bare' ? listenBare() : listen()))

async function listen() {
  const app = await buildApp({
    store: await makeStore(),
    site,
    access: ACCESS,
    metrics,
    log: createLog({ write() {} }),
  })
  return app.listen({ port: 0, host: '127.0.0.1' })
}

/** The bare handler, as the limit: it parses the same JSON, keeps the address in memory, and does nothing else. */
async function listenBare() {
  const keys = new Set<string>()
  const server = createServer(async (request, response) => {
    const { email } = Object(await json(request))
    const known = keys.has(email)
    keys.add(email)
    const body = JSON.stringify({ success: true, email_exists: known })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function makeStore(): Promise<Store> {
  if (kind === 'memory') return memoryStore()
  const database = await openDatabase(parseDatabaseUrl('the URL', databaseUrl), () => {})
  const store = sqlStore(database, metrics.commitEvents)
  return kind === 'grouped' ? store : { ...store, addSubscriber: (email) => addAlone(database, email) }
}

/** A store that keeps addresses in memory, as the baseline: the app without a database. */
function memoryStore(): Store {
  const keys = new Set<string>()
  return {
    async addSubscriber(email) {
      const key = email.toLowerCase()
      if (keys.has(key)) return 'present'
      keys.add(key)
      return 'added'
    },
    addEnquiry: async () => 'stored',
    checkReadiness: async () => 'ready',
    pending: () => 0,
    close: async () => {},
  }
}

/** Runs the server's own statement for one row instead of a group. As many run at once as the database allows. */
function addAlone(database: Database, email: string) {
  return database.run(async (db) => {
    const row = {
      email_key: email.toLowerCase(),
      email,
      created_at: new Date().toISOString(),
      request_id: randomUUID(),
    }
    const added = await insertSubscribers(db, [row])
    return added.length > 0 ? 'added' : 'present'
  })
}
