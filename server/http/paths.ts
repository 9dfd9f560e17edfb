import type { FastifyRequest } from 'fastify'

/** Removes scheme and host, which some proxies and tools send, from the target of a request. Adds a slash at its start. */
export const withoutOrigin = (target: string): string =>
  target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')

/** The decoded path, as the router reads it. A path that can't be decoded stays as it was sent. */
export function requestPath({ url }: FastifyRequest): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** A path names a file if its last part has an extension, or if one of its parts begins with a dot. */
export const FILE_PATH = /\.[^./]+$|\/\./

/**
 * The address of the page, with a query and an extra '?' or '&'. If an earlier site redirected '/' to another path, a
 * browser has cached that, and our redirect from there to '/' would never end. For the cache, the extra character makes
 * another address. The boot script removes it.
 */
export const addressWithoutCachedRedirect = (query = ''): string => (query ? `/?${query}&` : '/?')

export const API_PATH = /^\/api(\/|$)/
