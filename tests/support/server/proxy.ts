import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { listenOnLoopback } from './free-port.ts'

/** Starts a proxy for databases: each new connection leads to the port of loopback that `target` returns. */
export async function startProxy(target: () => number) {
  const server = createServer((client) => pipeline(client, connect(target(), '127.0.0.1'), client, () => {}))
  return { port: await listenOnLoopback(server), stop: () => void server.close() }
}
