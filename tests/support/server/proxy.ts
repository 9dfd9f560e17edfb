import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

/** Starts a proxy for databases: each new connection leads to the port of loopback that `target` returns. */
export async function startProxy(target: () => number) {
  const server = createServer((client) => pipeline(client, connect(target(), '127.0.0.1'), client, () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, stop: () => void server.close() }
}
