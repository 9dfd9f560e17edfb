import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { operations } from '../../contract/contract.d.ts'
import type { RateLimit, Settings } from '../settings.ts'
import { ACCEPTED, type Guard, sendProblem } from './problems.ts'
import { parseAddress } from './proxies.ts'

type Operation = keyof operations

/** Answers 429 if one address has called one operation too often. Each operation has limits of its own. */
export function limitRates(settings: Settings): Guard {
  if (!settings.RATE_LIMIT) return () => ACCEPTED
  const limits: Record<Operation, RateLimit> = {
    subscribe: settings.RATE_LIMIT_SUBSCRIBE,
    contactUs: settings.RATE_LIMIT_CONTACT_US,
  }
  const [minute, hour] = [startWindow(60_000), startWindow(3_600_000)]
  return (request, reply) => {
    // Only the operations of the contract have this guard. fastify-openapi-glue gives each route its operationId.
    const { operationId } = request.routeOptions.schema as { operationId: Operation }
    const caller = `${operationId} ${addressOf(request)}`
    const limit = limits[operationId]
    const seconds = Math.max(minute.secondsToWait(caller, limit.minute), hour.secondsToWait(caller, limit.hour))
    if (seconds > 0) return sendProblem(reply.header('retry-after', seconds), 429)
    // A refused call does not count: otherwise a caller who goes on calling would stay locked out.
    minute.count(caller)
    hour.count(caller)
    return ACCEPTED
  }
}

/**
 * A caller is a pair of operation and address. When a window has counted this many callers, it forgets all of them, so
 * that its memory stays bounded.
 */
const MAX_CALLERS = 100_000

/** Counts calls in fixed windows. A window is the same for all callers, and when it ends, the next window begins. */
function startWindow(lengthMs: number) {
  const calls = new Map<string, number>()
  // Unlike the clock of the system, this clock is never set back.
  let end = performance.now() + lengthMs
  setInterval(() => {
    calls.clear()
    end = performance.now() + lengthMs
  }, lengthMs).unref()
  return {
    /** The whole seconds until the next call is accepted, or 0 if it is accepted now. */
    secondsToWait: (caller: string, max: number) =>
      (calls.get(caller) ?? 0) < max ? 0 : Math.max(1, Math.ceil((end - performance.now()) / 1000)),
    count(caller: string) {
      if (calls.size >= MAX_CALLERS) calls.clear()
      calls.set(caller, (calls.get(caller) ?? 0) + 1)
    },
  }
}

/**
 * The address of the caller, without an IPv6 zone and without the port that some proxies add. All addresses of one IPv6
 * /56 count as one address, because providers give a /56 to one home. If a proxy forwards no address, the address of
 * the proxy counts.
 */
function addressOf({ ip, raw }: FastifyRequest): string {
  // The type says that there is always an address. A connection that has closed has none.
  const address = parseAddress(ip ?? '') ?? parseAddress(raw.socket.remoteAddress ?? '')
  return address instanceof ipaddr.IPv6 ? address.toByteArray().slice(0, 7).join('.') : (address?.toString() ?? '')
}
