import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptionOf } from '../support/enquiries.ts'
import { readTable } from '../support/server/databases.ts'
import { makeServerFolder, preload, type ServerProcess } from '../support/server/server-folder.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 2000
const MB = 1_000_000

const tellPeak = preload(`
  let peak = 0
  setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5).unref()
  process.on('SIGUSR2', () => console.error('peak ' + peak + ';'))`)

const sandbox = makeServerFolder()
afterAll(sandbox.remove)
let server: ServerProcess
beforeAll(async () => {
  server = await sandbox.start(tellPeak)
})

/** The most memory that the server ever had. */
async function peak() {
  const peaks = () => [...server.output().matchAll(/peak (\d+);/g)]
  const { length } = peaks()
  server.signal('SIGUSR2')
  await until(() => peaks().length > length)
  return Number(peaks().at(-1)?.[1])
}

test(`${CONNECTIONS} connections at once are answered, and every 200 is stored`, async () => {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: CONNECTIONS })
  const emails = Array.from({ length: CONNECTIONS }, (_, i) => `visitor${i}@example.com`)
  const headers = { 'content-type': 'application/json' }
  const answers = await Promise.all(
    emails.map(async (email) => {
      const sent = request(`${server.origin}/api/subscribe`, { method: 'POST', agent, headers })
      sent.end(JSON.stringify(subscriptionOf(email)))
      const [answer]: IncomingMessage[] = await once(sent, 'response')
      answer?.resume()
      return answer?.statusCode
    }),
  )
  // None was closed before the last one had its answer.
  await until(() => Object.values(agent.freeSockets).flat().length === CONNECTIONS)
  agent.destroy()
  expect([200, 503]).toEqual(expect.arrayContaining([...new Set(answers)]))
  expect(answers).toContain(200)
  const stored = new Set(readTable(sandbox.databaseFile, 'subscribers').map(({ email }) => email))
  expect(emails.filter((email, i) => answers[i] === 200 && !stored.has(email))).toEqual([])
})

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('bodies of 100 MB are answered 413 at their start, and are not kept', async () => {
  const before = await peak()
  const part = Buffer.alloc(MB, 'a')
  const chunk = Buffer.concat([Buffer.from(`${MB.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  /** Waits for the answer after the first part, and sends all of it nevertheless. */
  async function send(framing: string, part: Buffer) {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const drained = () => Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    socket.write(`${HEAD}${framing}\r\n\r\n`)
    socket.write(part)
    const [start] = await once(socket, 'data')
    // A slow machine is still sending when the server has waited long enough.
    for (let i = 1; i < 100 && !socket.destroyed; i++) if (!socket.write(part)) await drained()
    socket.destroy()
    return String(start).split(' ', 2)[1]
  }
  const bodies = [1, 2, 3, 4].flatMap(() => [
    send(`Content-Length: ${100 * MB}`, part),
    send('Transfer-Encoding: chunked', chunk),
  ])
  expect(await Promise.all(bodies)).toEqual(Array(8).fill('413'))
  // What passes through stays until it is collected, which is a fraction of it.
  expect(await peak()).toBeLessThan(before + 400 * MB)
})
