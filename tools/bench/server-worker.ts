// A server for server.ts, until server.ts disconnects: the app with the store of the arguments, or the bare handler.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { buildApp } from '../../server/app.ts'
import { createLog } from '../../server/log.ts'
import { createMetrics } from '../../server/metrics.ts'
import { readSettings } from '../../server/settings.ts'
import { openDatabase } from '../../server/storage/open-database.ts'
import { createStore, type Store } from '../../server/storage/store.ts'

const [site = '', kind = '', databaseUrl = ''] = process.argv.slice(2)
const metrics = createMetrics()
const settings = readSettings({ RATE_LIMIT: 'off', DATABASE_URL: databaseUrl })
process.on('disconnect', () => process.exit())
process.send?.(await (kind === 'bare' ? listenBare() : listen()))

async function listen() {
  const app = await buildApp({
    store: await makeStore(),
    site,
    settings,
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
    const isKnown = keys.has(email)
    keys.add(email)
    const body = JSON.stringify({ success: true, email_exists: isKnown })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

async function makeStore(): Promise<Store> {
  if (kind === 'memory') return memoryStore()
  const database = await openDatabase(settings.DATABASE_URL, () => {})
  return createStore(database, { events: { committed() {}, refused: metrics.refused } })
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
