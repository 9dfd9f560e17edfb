import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { operations, paths } from '../../src/contract.d.ts'
import { sendProblem } from './problems.ts'

/** Calls that one address may make in each of two windows; both apply. */
export type RateLimit = { readonly minute: number; readonly hour: number }

export type RateLimits = Readonly<Record<keyof operations, RateLimit>>

const OPERATIONS: Record<keyof paths, keyof operations> = {
  '/api/subscribe': 'subscribe',
  '/api/contact-us': 'contactUs',
}

/** The most addresses that a window counts: beyond it, the one that has been quiet the longest is forgotten. */
const MAX_ADDRESSES = 100_000

/** Answers 429 to an address that calls an operation of `api` too often; an IPv6 /64 counts as one address. */
export function limitRates(api: FastifyInstance, limits: RateLimits, onRefused: () => void): void {
  const limiters = new Map<string | undefined, Limiter>(
    Object.entries(OPERATIONS).map(([path, operation]) => [path, createLimiter(limits[operation])]),
  )
  api.addHook('onRequest', async (request, reply) => {
    const seconds = limiters.get(request.routeOptions.url)?.(addressOf(request)) ?? 0
    if (seconds === 0) return
    onRefused()
    return sendProblem(reply.header('retry-after', seconds), 429)
  })
}

/** Counts a call. Returns 0 if it is allowed, else the whole seconds until the next one will be. */
type Limiter = (address: string) => number

export function createLimiter({ minute, hour }: RateLimit, maxAddresses = MAX_ADDRESSES): Limiter {
  const countInMinute = createWindow(minute, 60_000, maxAddresses)
  const countInHour = createWindow(hour, 3_600_000, maxAddresses)
  return (address) => {
    const short = countInMinute(address, 1)
    // A call that the minute refuses does not count against the hour: who hurries waits a minute, not an hour.
    const long = countInHour(address, short.over ? 0 : 1)
    return short.over || long.over ? Math.max(short.wait, long.wait) : 0
  }
}

/** Adds calls of an address. `wait` is the seconds until a full window ends, which refused calls never extend. */
type Window = (address: string, calls: 0 | 1) => { over: boolean; wait: number }

function createWindow(max: number, lengthMs: number, maxAddresses: number): Window {
  /** The window of each address, that of the most recent caller last. */
  const windows = new Map<string, { calls: number; readonly end: number }>()
  return (address, calls) => {
    // This clock is monotonic; that of the system may be set back.
    const now = Math.floor(performance.now())
    const last = windows.get(address)
    const window = last && last.end > now ? last : { calls: 0, end: now + lengthMs }
    window.calls += calls
    windows.delete(address)
    windows.set(address, window)
    if (windows.size > maxAddresses) {
      const [oldest = ''] = windows.keys()
      windows.delete(oldest)
    }
    return { over: window.calls > max, wait: window.calls < max ? 0 : Math.ceil((window.end - now) / 1000) }
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
