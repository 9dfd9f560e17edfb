import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Answers that one connection may wait for: browsers and proxies ask for the next one after the last. */
const MOST_UNDER_WAY = 20

/** Ends a connection that asks for more at once, for each answer that is not read holds memory; tells `refused`, once. */
export function limitPipelining(app: FastifyInstance, refused: () => void): void {
  const underWay = new WeakMap<Socket, number>()
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const answers = (underWay.get(socket) ?? 0) + 1
    underWay.set(socket, answers)
    if (answers <= MOST_UNDER_WAY) return
    if (answers === MOST_UNDER_WAY + 1) refused()
    socket.destroy()
    // The rest of what was read already comes as requests all the same: none is answered.
    return reply.hijack()
  })
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    underWay.set(socket, (underWay.get(socket) ?? 1) - 1)
  })
}
