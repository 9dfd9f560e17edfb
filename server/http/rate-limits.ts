import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { operations, paths } from '../../src/contract.d.ts'
import { sendProblem } from './problems.ts'

/** Calls that one address may make in each of two windows, both at once. */
export type RateLimit = { readonly minute: number; readonly hour: number }

export type RateLimits = Readonly<Record<keyof operations, RateLimit>>

const OPERATIONS: Record<keyof paths, keyof operations> = {
  '/api/subscribe': 'subscribe',
  '/api/contact-us': 'contactUs',
}

/** Of each window: beyond them the address that was quiet for longest is forgotten. */
export const MAX_ADDRESSES = 100_000

/** Answers 429 to an address that calls an operation of `api` too often; IPv6 addresses are one by their /64. */
export function limitRates(api: FastifyInstance, limits: RateLimits, refused: () => void): void {
  const limiters = new Map<string | undefined, Limiter>(
    Object.entries(OPERATIONS).map(([path, operation]) => [path, createLimiter(limits[operation])]),
  )
  api.addHook('onRequest', async (request, reply) => {
    const seconds = limiters.get(request.routeOptions.url)?.(addressOf(request)) ?? 0
    if (seconds === 0) return
    refused()
    return sendProblem(reply.header('retry-after', seconds), 429)
  })
}

/** Counts a call. Tells after how many whole seconds the next one is let through, or 0 if this one is. */
type Limiter = (address: string) => number

export function createLimiter({ minute, hour }: RateLimit): Limiter {
  const countInMinute = createWindow(minute, 60_000)
  const countInHour = createWindow(hour, 3_600_000)
  return (address) => {
    const short = countInMinute(address, 1)
    // What the minute refuses uses up nothing of the hour: who hurries waits for a minute, not for an hour.
    const long = countInHour(address, short.over ? 0 : 1)
    return short.over || long.over ? Math.max(short.wait, long.wait) : 0
  }
}

/** `wait`: seconds until a full window ends. A refused call never makes it longer. */
type Window = (address: string, calls: 0 | 1) => { over: boolean; wait: number }

function createWindow(max: number, length: number): Window {
  /** By address, the one that called last at the end. */
  const windows = new Map<string, { calls: number; readonly end: number }>()
  return (address, calls) => {
    // Monotonic: the clock of the machine may be set back by hours.
    const now = Math.floor(performance.now())
    const last = windows.get(address)
    const window = last && last.end > now ? last : { calls: 0, end: now + length }
    window.calls += calls
    windows.delete(address)
    windows.set(address, window)
    if (windows.size > MAX_ADDRESSES) {
      const [quietest = ''] = windows.keys()
      windows.delete(quietest)
    }
    return { over: window.calls > max, wait: window.calls < max ? 0 : Math.ceil((window.end - now) / 1000) }
  }
}

/** Without the port that some proxies add, and the zone; where a proxy passes on no address, the proxy is who calls. */
function addressOf({ ip, raw }: FastifyRequest): string {
  // A client that is gone already has no address any more, whatever the type says.
  const passedOn = (ip ?? '').replace(/^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/, '$1$2')
  const address = isIP(passedOn) ? passedOn : raw.socket.remoteAddress
  if (address === undefined) return ''
  const parsed = ipaddr.process(address.replace(/%.*/, ''))
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
