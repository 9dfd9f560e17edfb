import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readTable } from '../support/server/databases.ts'
import { makeServerFolder, preload, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 2000
const PIPELINED = 2000
const MB = 1_000_000

// In MB. At rest the server holds about 165; 2,000 connections add 65, bodies that pass through up to 140 until they are
// collected. The bodies alone are 600.
const MOST_MEMORY = 500

const watchMemory = preload(`
  let peak = 0
  setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5).unref()
  process.on('exit', () => console.error('peak ' + peak))`)

const sandbox = makeServerFolder()
afterAll(sandbox.remove)
let server: ServerProcess
beforeEach(async () => {
  server = await sandbox.start(watchMemory)
})

const open = () => connect(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {})

/** Ends the server, and holds the most memory that it ever had. */
async function expectBoundedMemory() {
  server.signal('SIGTERM')
  await server.exited
  const peak = Math.round(Number(/^peak (\d+)$/m.exec(server.output())?.[1]) / MB)
  expect(peak).toBeLessThan(MOST_MEMORY)
}

test(`${CONNECTIONS} connections at once are answered 200 or 503, and every 200 is stored`, async () => {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: CONNECTIONS })
  const emails = Array.from({ length: CONNECTIONS }, (_, i) => `visitor${i}@example.com`)
  const headers = { 'content-type': 'application/json' }
  const answers = await Promise.all(
    emails.map(async (email) => {
      const sent = request(`${server.origin}/api/subscribe`, { method: 'POST', agent, headers })
      sent.end(JSON.stringify({ email }))
      const [answer]: IncomingMessage[] = await once(sent, 'response')
      answer?.resume()
      return answer?.statusCode
    }),
  )
  // None was closed before the last one had its answer.
  await until(() => Object.values(agent.freeSockets).flat().length === CONNECTIONS)
  agent.destroy()
  const accepted = emails.filter((_, i) => answers[i] === 200)
  await expectBoundedMemory()
  expect(accepted.length + answers.filter((status) => status === 503).length).toBe(CONNECTIONS)
  const stored = new Set(readTable(sandbox.databaseFile, 'subscribers').map(({ email }) => email))
  expect(accepted.filter((email) => !stored.has(email))).toEqual([])
})

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('bodies of 100 MB are answered 413, of a length that was told or not, and are not kept', async () => {
  const part = Buffer.alloc(MB, 'a')
  const chunk = Buffer.concat([Buffer.from(`${MB.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  /** Sends all of it, whenever the answer comes. */
  async function send(framing: string, part: Buffer) {
    const socket = open()
    const answered = once(socket, 'data')
    socket.write(`${HEAD}${framing}\r\n\r\n`)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const drained = () => Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    // A slow machine is still sending when the server has waited long enough.
    for (let i = 0; i < 100 && !socket.destroyed; i++) if (!socket.write(part)) await drained()
    const [start] = await answered
    socket.destroy()
    return String(start).split(' ', 2)[1]
  }
  const bodies = [1, 2, 3].flatMap(() => [
    send(`Content-Length: ${100 * MB}`, part),
    send('Transfer-Encoding: chunked', chunk),
  ])
  expect(await Promise.all(bodies)).toEqual(Array(6).fill('413'))
  await expectBoundedMemory()
})

test(`connections that ask for ${PIPELINED} files at once and read none end, and memory stays bounded`, async () => {
  writeFileSync(join(sandbox.folder, 'dist/assets/large.js'), Buffer.alloc(MB))
  const sockets = Array.from({ length: 8 }, () => open().pause())
  for (const socket of sockets) socket.write('GET /assets/large.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED))
  // Who does not read learns of the end by writing.
  const probing = setInterval(() => sockets.map((socket) => socket.write('\r\n')), 100)
  await until(() => sockets.every(({ destroyed }) => destroyed))
  clearInterval(probing)
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
  await expectBoundedMemory()
})
