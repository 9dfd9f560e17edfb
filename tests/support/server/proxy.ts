import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

/** What stands in front of databases: each connection to it leads to the port of loopback that `target` names by then. */
export async function startProxy(target: () => number) {
  const server = createServer((client) => {
    const upstream = connect(target(), '127.0.0.1')
    pipeline(client, upstream, client, () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => void server.close(),
  }
}
