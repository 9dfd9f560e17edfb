import { isIP } from 'node:net'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { operations, paths } from '../src/contract.d.ts'
import { sendProblem } from './problems.ts'

/** Calls that one address may make in each of two windows, both at once. */
export type RateLimit = { readonly minute: number; readonly hour: number }

export type RateLimits = Readonly<Record<keyof operations, RateLimit>>

const OPERATIONS: Record<keyof paths, keyof operations> = {
  '/api/subscribe': 'subscribe',
  '/api/contact-us': 'contactUs',
}

/** Of each window: beyond them the address that was quiet for longest is forgotten. */
const MOST_ADDRESSES = 100_000

/** Answers 429 to an address that calls an operation of `api` too often; IPv6 addresses are one by their /64. */
export async function limitRates(api: FastifyInstance, limits: RateLimits, refused: () => void): Promise<void> {
  await api.register(rateLimit, { global: false })
  const limiters = new Map<string | undefined, Limiter>(
    Object.entries(OPERATIONS).map(([path, operation]) => [path, createLimiter(api, limits[operation])]),
  )
  api.addHook('onRequest', async (request, reply) => {
    const seconds = await limiters.get(request.routeOptions.url)?.(request)
    if (seconds === undefined || seconds === 0) return
    refused()
    return sendProblem(reply.header('retry-after', seconds), 429)
  })
}

/** Counts a call. Tells after how many whole seconds the next one is let through, or 0 if this one is. */
type Limiter = (request: FastifyRequest) => Promise<number>

function createLimiter(api: FastifyInstance, { minute, hour }: RateLimit): Limiter {
  const countInMinute = createWindow(api, minute, 60_000)
  const countInHour = createWindow(api, hour, 3_600_000)
  return async (request) => {
    const short = await countInMinute(request, true)
    // What the minute refuses uses up nothing of the hour: who hurries waits for a minute, not for an hour.
    const long = await countInHour(request, !short.over)
    return short.over || long.over ? Math.max(short.wait, long.wait) : 0
  }
}

/** `wait`: seconds until a full window ends. A refused call never makes it longer. */
type Window = (request: FastifyRequest, increment: boolean) => Promise<{ over: boolean; wait: number }>

function createWindow(api: FastifyInstance, max: number, timeWindow: number): Window {
  const options = { max, timeWindow, cache: MOST_ADDRESSES, keyGenerator: addressOf }
  const count = api.createRateLimit(options)
  return async (request, increment) => {
    const state = await count(request, { increment })
    if (state.isAllowed) return { over: false, wait: 0 }
    return { over: state.isExceeded, wait: state.remaining === 0 ? state.ttlInSeconds : 0 }
  }
}

/** Without the port that some proxies add; where a proxy passes on no address, the proxy is who calls. */
function addressOf({ ip, raw }: FastifyRequest): string {
  // A client that is gone already has no address any more, whatever the type says.
  const address = (ip ?? '').replace(/^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/, '$1$2')
  return normalizeIP(isIP(address) ? address : (raw.socket.remoteAddress ?? ''))
}
