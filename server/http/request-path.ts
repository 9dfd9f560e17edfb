import type { FastifyRequest } from 'fastify'

/** The decoded path, as the router reads it, or the raw path if it can't be decoded. */
export function requestPath({ url }: FastifyRequest): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
