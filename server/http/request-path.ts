import type { FastifyRequest } from 'fastify'

/** The path as the router reads it; as it was sent, if it can't be decoded. */
export function requestPath({ url }: FastifyRequest): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
