import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { CLIENTS, type Nginx, sendPlain, startNginx } from '../../scripts/nginx.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

/** Servers that hang up on as many calls as `drops` says, once they have read them, and answer the others. */
let servers: [Server, Server]
let drops = 0
/** Which server read which body. */
const read: [server: number, body: string][] = []
let nginx: Nginx
beforeAll(async () => {
  const make = async (name: number) => {
    const server = createServer(async (request, response) => {
      read.push([name, await text(request)])
      if (drops-- > 0) request.socket.destroy()
      else response.setHeader('content-type', 'application/json').end('{"success":true}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  servers = [await make(0), await make(1)]
  const [one, other] = servers.map((server) => String((server.address() as AddressInfo).port))
  nginx = await startNginx([String(one), String(other)])
})
afterAll(async () => {
  await nginx.remove()
  for (const server of servers) server.close().closeAllConnections()
})

test.each([
  ['/api/subscribe', 200, 2],
  ['/api/contact-us', 503, 1],
])('a %s that a server took and did not answer ends in %i, having been sent %i times', async (path, status, times) => {
  await vi.waitUntil(bothTakeCalls, { timeout: WAIT_TIMEOUT })
  read.length = 0
  drops = 1
  const answer = await nginx.send(path, { method: 'POST', body: 'once' })
  drops = 0
  expect([answer.status, read.map(([, body]) => body)]).toEqual([status, Array(times).fill('once')])
})

/** A server that failed is left alone for a while. */
async function bothTakeCalls() {
  read.length = 0
  for (const from of CLIENTS) await nginx.send('/api', { from })
  return new Set(read.map(([server]) => server)).size === 2
}

test('every address of a /64 is one client, and IPv4 addresses are one each', async () => {
  const [, map] =
    /^(map \$binary_remote_addr \$launching_soon_client \{.+?^\})/ms.exec(readFileSync('deploy/nginx.conf', 'utf8')) ??
    []
  const folder = mkdtempSync(join(tmpdir(), 'map-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr emerg; events {} http { access_log off; ${map}
     server { listen 127.0.0.1:${port}; set_real_ip_from 127.0.0.1; return 200 $launching_soon_client; } }`,
  )
  const process = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { stdio: 'inherit' })
  const clientOf = async (address: string) =>
    (await sendPlain(port, '/', { headers: { 'x-real-ip': address } })).body.toString('hex')
  try {
    await vi.waitUntil(() => clientOf('192.0.2.1').catch(() => null))
    expect(await clientOf('192.0.2.1')).toBe('c0000201')
    expect(await clientOf('192.0.2.2')).toBe('c0000202')
    // Zeros are what text would write in several ways.
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
    const address = fc.array(group, { minLength: 8, maxLength: 8 })
    const rule = fc.asyncProperty(address, async (groups) => {
      const hex = groups.map((value) => value.toString(16).padStart(4, '0'))
      expect(await clientOf(hex.join(':'))).toBe(hex.slice(0, 4).join(''))
    })
    await fc.assert(rule, { numRuns: 300, seed: 64 })
  } finally {
    process.kill('SIGTERM')
    await once(process, 'close')
    rmSync(folder, { recursive: true })
  }
})
