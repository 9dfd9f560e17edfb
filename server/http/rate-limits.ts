import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { operations, paths } from '../../src/contract.d.ts'
import type { Guard } from './access.ts'
import { sendProblem } from './problems.ts'

/** How many calls one address may make in a minute, and in an hour; both limits apply. */
export type RateLimit = { readonly minute: number; readonly hour: number }

export type RateLimits = Readonly<Record<keyof operations, RateLimit>>

const OPERATIONS: Record<keyof paths, keyof operations> = {
  '/api/subscribe': 'subscribe',
  '/api/contact-us': 'contactUs',
}

/** Answers 429 to an address that calls an operation too often; an IPv6 /64 counts as one address. */
export function limitRates(api: FastifyInstance, limits: RateLimits): Guard {
  const limiters = new Map<string | undefined, Limiter>(
    Object.entries(OPERATIONS).map(([path, operation]) => [path, createLimiter(limits[operation])]),
  )
  api.addHook('onClose', async () => {
    for (const { stop } of limiters.values()) stop()
  })
  return (request, reply) => {
    const seconds = limiters.get(request.routeOptions.url)?.secondsToWait(addressOf(request)) ?? 0
    return seconds === 0 ? undefined : sendProblem(reply.header('retry-after', seconds), 429)
  }
}

type Limiter = {
  /** Returns 0, and counts the call, if it is allowed; otherwise the whole seconds until the next call is allowed. */
  secondsToWait(address: string): number
  stop(): void
}

function createLimiter({ minute, hour }: RateLimit): Limiter {
  const windows = [createWindow(minute, 60_000), createWindow(hour, 3_600_000)]
  return {
    secondsToWait(address) {
      const seconds = Math.max(...windows.map((window) => window.secondsToWait(address)))
      // A refused call counts in neither window.
      if (seconds === 0) for (const { count } of windows) count(address)
      return seconds
    },
    stop() {
      for (const { stop } of windows) stop()
    },
  }
}

/** A window is the same for all addresses. At its end it forgets them all: no address is kept for longer. */
function createWindow(max: number, lengthMs: number) {
  const calls = new Map<string, number>()
  // This clock is monotonic; the system's clock may be set back.
  let windowEnd = performance.now() + lengthMs
  const timer = setInterval(() => {
    calls.clear()
    windowEnd = performance.now() + lengthMs
  }, lengthMs).unref()
  return {
    secondsToWait: (address: string) =>
      (calls.get(address) ?? 0) < max ? 0 : Math.max(1, Math.ceil((windowEnd - performance.now()) / 1000)),
    count: (address: string) => calls.set(address, (calls.get(address) ?? 0) + 1),
    stop: () => clearInterval(timer),
  }
}

/**
 * The client's address without a zone, and without the TCP port that some proxies add. An IPv6 address counts by its
 * /64. If a proxy forwards no address, the proxy's own counts.
 */
function addressOf({ ip, raw }: FastifyRequest): string {
  // A closed connection has no address, whatever the type says.
  const forwarded = (ip ?? '').replace(/^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/, '$1$2')
  const address = isIP(forwarded) ? forwarded : raw.socket.remoteAddress
  if (address === undefined) return ''
  const parsed = ipaddr.process(address.replace(/%.*/, ''))
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
