import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerProcess } from '../../scripts/server-process.ts'
import { readTable } from '../support/server/databases.ts'
import { endAndReadPeak, watchedMemory } from '../support/server/peak-memory.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { WAIT_TIMEOUT } from '../support/timeouts.ts'

const CONNECTIONS = 2000
const SLOW = 200
const MB = 1_000_000

// In MB. At rest the server holds about 165; 2,000 connections add 65, bodies that pass through up to 140 until they are
// collected. The bodies alone are 600.
const MOST_MEMORY = 500

let sandbox: ServerFolder
let server: ServerProcess
let port: number
beforeEach(async () => {
  sandbox = makeServerFolder()
  server = await sandbox.start(watchedMemory)
  port = Number(new URL(server.origin).port)
})
afterEach(() => sandbox.remove())

async function subscribe(agent: Agent, email: string) {
  const headers = { 'content-type': 'application/json' }
  const sent = request({ host: '127.0.0.1', port, path: '/api/subscribe', method: 'POST', agent, headers })
  sent.end(JSON.stringify({ email }))
  const [answer]: IncomingMessage[] = await once(sent, 'response')
  answer?.resume()
  return answer?.statusCode
}

test(`${CONNECTIONS} connections at once are answered 200 or 503, and every 200 is stored`, async () => {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: CONNECTIONS })
  const emails = Array.from({ length: CONNECTIONS }, (_, i) => `visitor${i}@example.com`)
  const answers = await Promise.all(emails.map((email) => subscribe(agent, email)))
  // None was closed before the last one had its answer.
  await vi.waitUntil(() => Object.values(agent.freeSockets).flat().length === CONNECTIONS, { timeout: WAIT_TIMEOUT })
  agent.destroy()
  const accepted = emails.filter((_, i) => answers[i] === 200)
  const refused = answers.filter((status) => status === 503)
  const peak = await endAndReadPeak(server)
  console.log(
    `${CONNECTIONS} connections at once: ${accepted.length} stored, ${refused.length} answered 503, ${peak} MB at most`,
  )
  expect(accepted.length + refused.length).toBe(CONNECTIONS)
  const stored = new Set(readTable(sandbox.databaseFile, 'subscribers').map(({ email }) => email))
  expect(accepted.filter((email) => !stored.has(email))).toEqual([])
  expect(peak).toBeLessThan(MOST_MEMORY)
})

const HEAD = 'POST /api/subscribe HTTP/1.1\r\nHost: x\r\n'

/** Sends all of it, whenever the answer comes; gives the status. */
async function sendHuge(framing: string, part: Buffer, parts: number) {
  const socket = connect(port, '127.0.0.1')
  const answered = once(socket, 'data')
  socket.write(`${HEAD}Content-Type: application/json\r\n${framing}\r\n\r\n`)
  for (let i = 0; i < parts; i++) if (!socket.write(part)) await once(socket, 'drain')
  const [start] = await answered
  socket.destroy()
  return String(start).split(' ', 2)[1]
}

test('bodies of 100 MB are answered 413, of a length that was told or not, and are not kept', async () => {
  const part = Buffer.alloc(MB, 'a')
  const chunk = Buffer.concat([Buffer.from(`${MB.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  const statuses = await Promise.all(
    Array.from({ length: 3 }).flatMap(() => [
      sendHuge(`Content-Length: ${100 * MB}`, part, 100),
      sendHuge('Transfer-Encoding: chunked', chunk, 100),
    ]),
  )
  const peak = await endAndReadPeak(server)
  console.log(`Six bodies of 100 MB at once: answered ${statuses.join(', ')}, ${peak} MB at most`)
  expect(statuses).toEqual(Array(6).fill('413'))
  expect(peak).toBeLessThan(MOST_MEMORY)
})

test(`${SLOW} slow headers and ${SLOW} slow bodies are answered 408, and their connections end`, async () => {
  const slow = [
    ['headers', HEAD, 'X: y\r\n'],
    ['body', `${HEAD}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n`, ' '],
  ] as const
  const clients = Array.from({ length: SLOW }).flatMap(() => slow)
  const answers = await Promise.all(
    clients.map(async ([part, start, drop]) => {
      const began = performance.now()
      const socket = connect(port, '127.0.0.1')
      socket.write(start)
      const dripping = setInterval(() => socket.write(drop), 500)
      const status = (await text(socket)).split(' ', 2)[1]
      clearInterval(dripping)
      return { part, status, ms: performance.now() - began }
    }),
  )
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  const peak = await endAndReadPeak(server)
  const closed = (part: string) => answers.filter((answer) => answer.part === part && answer.status === '408').length
  console.log(
    `Slow clients: ${closed('headers')} headers and ${closed('body')} bodies answered 408, the last after ` +
      `${Math.round(slowest)} ms, ${peak} MB at most`,
  )
  expect([closed('headers'), closed('body')]).toEqual([SLOW, SLOW])
  expect(peak).toBeLessThan(MOST_MEMORY)
})

const PIPELINED = 2000

function askAtOnce(socket: Socket, path: string, requests: number) {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests))
}

test(`connections that ask for ${PIPELINED} files at once and read none end, and memory stays bounded`, async () => {
  writeFileSync(join(sandbox.folder, 'dist/assets/large.js'), Buffer.alloc(MB))
  const sockets = Array.from({ length: 8 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .pause(),
  )
  for (const socket of sockets) askAtOnce(socket, '/assets/large.js', PIPELINED)
  const ended = () => sockets.filter(({ destroyed }) => destroyed).length
  // Who does not read learns of the end by writing.
  const probing = setInterval(() => sockets.map((socket) => socket.write('\r\n')), 100)
  await vi.waitUntil(() => ended() === sockets.length, { timeout: WAIT_TIMEOUT })
  clearInterval(probing)
  const alive = await fetch(`${server.origin}/healthz`)
  const peak = await endAndReadPeak(server)
  console.log(`${PIPELINED} requests at once on each of ${sockets.length}: all ended, ${peak} MB at most`)
  expect(alive.status).toBe(200)
  expect(peak).toBeLessThan(MOST_MEMORY)
})

test('ten requests at once are answered, again and again on one connection', async () => {
  const socket = connect(port, '127.0.0.1')
  let read = ''
  socket.on('data', (part) => {
    read += part
  })
  for (let answers = 10; answers <= 50; answers += 10) {
    askAtOnce(socket, '/healthz', 10)
    await vi.waitUntil(() => read.split('{"status":"alive"}').length - 1 === answers, { timeout: WAIT_TIMEOUT })
  }
  socket.destroy()
})
