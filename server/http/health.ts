import type { FastifyInstance } from 'fastify'
import type { Store } from '../storage/store.ts'
import { sendProblem } from './problems.ts'

/** Milliseconds for which an answer of the store counts: who asks often must not keep the disk busy. */
const FRESH = 1000

/** `/healthz`: the process answers. `/readyz`: what comes now can be stored durably, for a row just was. */
export function serveHealth(app: FastifyInstance, store: Store): void {
  let last: { readonly asked: number; readonly answer: ReturnType<Store['checkReadiness']> } | null = null

  function readiness() {
    const asked = performance.now()
    if (last === null || asked - last.asked >= FRESH) last = { asked, answer: store.checkReadiness() }
    return last.answer
  }

  app.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    if ((await readiness()) === 'unavailable') return sendProblem(reply, 503)
    return reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
