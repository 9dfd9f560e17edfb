import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { paths } from '../../src/contract.d.ts'
import type { RateLimit, Settings } from '../settings.ts'
import { type Guard, sendProblem } from './problems.ts'

type Limits = Pick<Settings, 'RATE_LIMIT' | 'RATE_LIMIT_SUBSCRIBE' | 'RATE_LIMIT_CONTACT_US'>

/** Answers 429 to an address that calls an operation too often; an IPv6 /64 counts as one address. */
export function limitRates(api: FastifyInstance, settings: Limits): Guard {
  if (!settings.RATE_LIMIT) return () => undefined
  const windowsByPath: Record<keyof paths, readonly Window[]> = {
    '/api/subscribe': windowsFor(settings.RATE_LIMIT_SUBSCRIBE),
    '/api/contact-us': windowsFor(settings.RATE_LIMIT_CONTACT_US),
  }
  const windows = new Map<string | undefined, readonly Window[]>(Object.entries(windowsByPath))
  api.addHook('onClose', async () => {
    for (const { stop } of [...windows.values()].flat()) stop()
  })
  return (request, reply) => {
    const address = addressOf(request)
    const operation = windows.get(request.routeOptions.url) ?? []
    const seconds = Math.max(0, ...operation.map(({ secondsToWait }) => secondsToWait(address)))
    if (seconds > 0) return sendProblem(reply.header('retry-after', seconds), 429)
    // A refused call counts in neither window.
    for (const { count } of operation) count(address)
    return undefined
  }
}

type Window = ReturnType<typeof startWindow>

const windowsFor = ({ minute, hour }: RateLimit) => [startWindow(minute, 60_000), startWindow(hour, 3_600_000)]

/** A window is the same for all addresses. At its end it forgets them all: no address is kept for longer. */
function startWindow(max: number, lengthMs: number) {
  const calls = new Map<string, number>()
  // This clock is monotonic; the system's clock may be set back.
  let end = performance.now() + lengthMs
  const timer = setInterval(() => {
    calls.clear()
    end = performance.now() + lengthMs
  }, lengthMs).unref()
  return {
    /** 0 if a call is allowed, otherwise the whole seconds until the next one is. */
    secondsToWait: (address: string) =>
      (calls.get(address) ?? 0) < max ? 0 : Math.max(1, Math.ceil((end - performance.now()) / 1000)),
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
