import type { FastifyRequest } from 'fastify'

/** The target of a request without scheme and host: some proxies and tools send them. It begins with a slash. */
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
export const NAMES_FILE = /\.[^./]+$|\/\./

export const IN_API = /^\/api(\/|$)/
