import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Lets a server listen on a free port of loopback. Returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A listening TCP server has an AddressInfo.
  return (server.address() as AddressInfo).port
}

/** A port of loopback that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  server.close()
  return port
}

/** A port without a server: systems assign no port below 1024 by themselves, and no service uses this port. */
export const CLOSED_PORT = 2
