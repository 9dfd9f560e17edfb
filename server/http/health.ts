import type { FastifyInstance } from 'fastify'
import type { Store } from '../storage/store.ts'
import { sendProblem } from './problems.ts'

/** How long an answer of /readyz is reused, because frequent checks must not keep the disk busy. */
const CACHE_MS = 1000

/** `/healthz`: the process runs. `/readyz`: rows can be stored, since a row has just been written durably. */
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
