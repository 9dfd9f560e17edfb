import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Unanswered requests of one connection: browsers and proxies wait for each answer. */
const MAX_IN_FLIGHT = 20

/** Closes a connection with more requests in flight, since unread answers hold memory, and calls `onRefused` once. */
export function limitPipelining(app: FastifyInstance, onRefused: () => void): void {
  const inFlight = new WeakMap<Socket, number>()
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const requests = (inFlight.get(socket) ?? 0) + 1
    inFlight.set(socket, requests)
    if (requests <= MAX_IN_FLIGHT) return
    if (requests === MAX_IN_FLIGHT + 1) onRefused()
    socket.destroy()
    // What was read already still arrives as requests: none is answered.
    return reply.hijack()
  })
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1)
  })
}
