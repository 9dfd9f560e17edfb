import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { operations } from '../../src/contract.d.ts'
import type { RateLimit, Settings } from '../settings.ts'
import { type Guard, sendProblem } from './problems.ts'

type Operation = keyof operations
type Limits = Pick<Settings, 'RATE_LIMIT' | 'RATE_LIMIT_SUBSCRIBE' | 'RATE_LIMIT_CONTACT_US'>

/** Answers 429 to an address that calls an operation too often. */
export function limitRates(settings: Limits): Guard {
  if (!settings.RATE_LIMIT) return () => undefined
  const windows: Record<Operation, readonly Window[]> = {
    subscribe: windowsFor(settings.RATE_LIMIT_SUBSCRIBE),
    contactUs: windowsFor(settings.RATE_LIMIT_CONTACT_US),
  }
  return (request, reply) => {
    const address = addressOf(request)
    // The routes that have guards are the operations of the contract, and have their ids.
    const { operationId } = request.routeOptions.schema as { operationId: Operation }
    const seconds = Math.max(...windows[operationId].map(({ secondsToWait }) => secondsToWait(address)))
    if (seconds > 0) return sendProblem(reply.header('retry-after', seconds), 429)
    // A call over a limit counts in neither window.
    for (const { count } of windows[operationId]) count(address)
    return undefined
  }
}

type Window = ReturnType<typeof startWindow>

const windowsFor = ({ minute, hour }: RateLimit) => [startWindow(minute, 60_000), startWindow(hour, 3_600_000)]

/** How many addresses a window remembers, which bounds its memory. A client with so many has no limit anyway. */
const MAX_ADDRESSES = 100_000

/** A window is the same for all addresses. At its end it forgets them all: no address is kept for longer. */
function startWindow(max: number, lengthMs: number) {
  const calls = new Map<string, number>()
  // This clock is monotonic; the system's clock may be set back.
  let end = performance.now() + lengthMs
  setInterval(() => {
    calls.clear()
    end = performance.now() + lengthMs
  }, lengthMs).unref()
  return {
    /** 0 if a call is allowed, otherwise the whole seconds until the next one is. */
    secondsToWait: (address: string) =>
      (calls.get(address) ?? 0) < max ? 0 : Math.max(1, Math.ceil((end - performance.now()) / 1000)),
    count(address: string) {
      if (calls.size >= MAX_ADDRESSES) calls.clear()
      calls.set(address, (calls.get(address) ?? 0) + 1)
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
