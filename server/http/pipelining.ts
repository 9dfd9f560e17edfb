import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The most unanswered requests of one connection: browsers and proxies wait for each answer. */
const MAX_IN_FLIGHT = 20

/** Closes a connection with more unanswered requests, since their answers hold memory, and calls `onRefused` once. */
export function limitPipelining(app: FastifyInstance, onRefused: () => void): void {
  const inFlight = new WeakMap<Socket, number>()
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const requests = (inFlight.get(socket) ?? 0) + 1
    inFlight.set(socket, requests)
    if (requests <= MAX_IN_FLIGHT) return
    if (requests === MAX_IN_FLIGHT + 1) onRefused()
    socket.destroy()
    // Requests that were read already still arrive: none is answered.
    return reply.hijack()
  })
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1)
  })
}
