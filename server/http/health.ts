import type { FastifyInstance } from 'fastify'
import type { Store } from '../storage/store.ts'
import { sendProblem } from './problems.ts'

/** For how long /readyz repeats its last answer. Frequent checks must not keep the disk busy. */
const CACHE_MS = 1000

/** `/healthz` says that the process runs. `/readyz` says whether rows can be stored: it has just written one to disk. */
export function serveHealth(app: FastifyInstance, store: Store): void {
  let checkedAt = Number.NEGATIVE_INFINITY
  let readiness: ReturnType<Store['checkReadiness']>

  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    if (performance.now() - checkedAt >= CACHE_MS) {
      checkedAt = performance.now()
      readiness = store.checkReadiness()
    }
    if ((await readiness) === 'unavailable') return sendProblem(reply, 503)
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
