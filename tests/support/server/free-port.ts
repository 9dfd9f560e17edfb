import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of loopback that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** A port without a server: systems assign no port below 1024 by themselves, and no service uses this port. */
export const CLOSED_PORT = 2
