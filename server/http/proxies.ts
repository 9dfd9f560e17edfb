import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { ACCEPTED, type Guard } from './problems.ts'

/** The address in a text, without an IPv6 zone, and without the brackets and the port that some proxies add. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = text.replace(/^\[(.+)\](?::\d+)?$|^([^:]+):\d+$/, '$1$2')
  return isIP(address) ? ipaddr.process(address.replace(/%.*/, '')) : null
}

/** Headers in which proxies name the visitor. The last one is Caddy's copy of the X-Forwarded-For that it received. */
const VISITOR_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'x-original-forwarded-for']

/** The addresses in one of these headers. In `Forwarded` they are written as `for="ADDRESS"`. */
const addressesIn = (header: string) =>
  header.split(/[,;]/).flatMap((part) => parseAddress(part.replace(/^ *for=|["\s]/gi, ''))?.toString() ?? [])

/** Whether a header has addresses of visitors, and none of them is `request.ip`. */
function hasOnlyOtherAddresses({ headers, ip }: FastifyRequest): boolean {
  const own = String(parseAddress(String(ip)))
  const named = VISITOR_HEADERS.map((name) => addressesIn(String(headers[name] ?? '')))
  return named.some((addresses) => addresses.length > 0 && !addresses.includes(own))
}

/** The number of such calls in a row before the warning. A single call may come through the proxy of a company. */
const CALLS_BEFORE_WARNING = 3

/** Warns once if a proxy is not trusted: then all visitors seem to have the same address. The log gets no address. */
export function warnOfUntrustedProxy(): Guard {
  let left = CALLS_BEFORE_WARNING
  return (request) => {
    if (left === 0) return ACCEPTED
    left = hasOnlyOtherAddresses(request) ? left - 1 : CALLS_BEFORE_WARNING
    if (left === 0) {
      request.log.warn(
        'ignored the client address in a header: all visitors seem to have the same address, and share one limit. Name the proxy or CDN in TRUST_PROXY',
      )
    }
    return ACCEPTED
  }
}
