import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { operations } from '../../src/contract.d.ts'
import type { RateLimit, Settings } from '../settings.ts'
import { type Guard, sendProblem } from './problems.ts'

type Operation = keyof operations

/** Answers 429 to an address that calls an operation too often. */
export function limitRates(settings: Settings): Guard {
  if (!settings.RATE_LIMIT) return () => undefined
  const limits: Record<Operation, RateLimit> = {
    subscribe: settings.RATE_LIMIT_SUBSCRIBE,
    contactUs: settings.RATE_LIMIT_CONTACT_US,
  }
  const [minute, hour] = [startWindow(60_000), startWindow(3_600_000)]
  return (request, reply) => {
    // The routes that have guards are the operations of the contract, and have their ids.
    const { operationId } = request.routeOptions.schema as { operationId: Operation }
    const client = `${operationId} ${addressOf(request)}`
    const limit = limits[operationId]
    const seconds = Math.max(minute.secondsToWait(client, limit.minute), hour.secondsToWait(client, limit.hour))
    if (seconds > 0) return sendProblem(reply.header('retry-after', seconds), 429)
    // A call over one limit counts towards neither.
    minute.count(client)
    hour.count(client)
    return undefined
  }
}

/** The most clients that a window counts, so that its memory is bounded. At more it forgets all and begins anew. */
const MAX_CLIENTS = 100_000

/** Counts the calls of each client, in one period after the other. The periods are the same for all clients. */
function startWindow(lengthMs: number) {
  const calls = new Map<string, number>()
  // This clock is monotonic; the system's clock may be set back.
  let end = performance.now() + lengthMs
  setInterval(() => {
    calls.clear()
    end = performance.now() + lengthMs
  }, lengthMs).unref()
  return {
    /** 0 if a client may call, otherwise the whole seconds until it may. */
    secondsToWait: (client: string, max: number) =>
      (calls.get(client) ?? 0) < max ? 0 : Math.max(1, Math.ceil((end - performance.now()) / 1000)),
    count(client: string) {
      if (calls.size >= MAX_CLIENTS) calls.clear()
      calls.set(client, (calls.get(client) ?? 0) + 1)
    },
  }
}

/**
 * The client's address without a zone, and without the TCP port that some proxies add. An IPv6 address counts by its
 * /56, as providers give to one home: counted by its /64, a client with a /48 could be 65,536 clients. If a proxy
 * forwards no address, the proxy's own counts.
 */
function addressOf({ ip, raw }: FastifyRequest): string {
  // A closed connection has no address, whatever the type says.
  const forwarded = (ip ?? '').replace(/^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/, '$1$2')
  const address = isIP(forwarded) ? forwarded : raw.socket.remoteAddress
  if (address === undefined) return ''
  const parsed = ipaddr.process(address.replace(/%.*/, ''))
  return parsed instanceof ipaddr.IPv6 ? parsed.toByteArray().slice(0, 7).join('.') : parsed.toString()
}
