import type { Guard } from './problems.ts'

/** Headers in which proxies name the client. From a proxy outside TRUST_PROXY they are ignored, with a warning. */
const CLIENT_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/** Warns once that all visitors may count as one client. It does not log the sender's address, perhaps a visitor's. */
export function warnOfUntrustedProxy(): Guard {
  let hasWarned = false
  return (request) => {
    // `ips` starts with the peer and ends with the first address that is not trusted.
    const isPeerTrusted = (request.ips?.length ?? 1) > 1
    if (hasWarned || isPeerTrusted || !CLIENT_HEADERS.some((name) => request.headers[name])) return undefined
    hasWarned = true
    request.log.warn('ignored the client address in a header: if your proxy sent it, name the proxy in TRUST_PROXY')
    return undefined
  }
}
