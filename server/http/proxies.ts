import type { FastifyRequest } from 'fastify'
import type { Guard } from './problems.ts'

/** Headers in which proxies name the visitor. Caddy passes on as the last what came as X-Forwarded-For. */
const VISITOR_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'x-original-forwarded-for']

const namesAnother = ({ headers, ip }: FastifyRequest) =>
  VISITOR_HEADERS.some((name) => headers[name] && !String(headers[name]).includes(ip))

/** How many calls after the start show it. One could be of a visitor in a company, whose own proxy sends such a header. */
const CALLS = 3

/** Warns once that a proxy is not trusted, so that all visitors seem to be one. It logs no address. */
export function warnOfUntrustedProxy(): Guard {
  let left = CALLS
  return (request) => {
    if (left === 0) return undefined
    // A visitor who comes directly shows that there is no proxy.
    left = namesAnother(request) ? left - 1 : 0
    if (left === 0 && namesAnother(request)) {
      request.log.warn(
        'ignored the client address in a header: all visitors seem to be one, and share one limit. Name the proxy or CDN in TRUST_PROXY',
      )
    }
    return undefined
  }
}
