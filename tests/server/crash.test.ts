import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readTable } from '../support/build-test-app.ts'
import { makeServerFolder, type ServerFolder } from '../support/server-process.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const CONNECTIONS = 50
const ENOUGH = 400

let place: ServerFolder
beforeAll(() => {
  place = makeServerFolder()
})
afterAll(() => place.remove())

/** Whether the call was acknowledged whole. */
async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const { success } = await answer.json()
    return answer.status === 200 && success === true
  } catch {
    return false
  }
}

const emailsAcknowledged: string[] = []
const enquiriesAcknowledged: string[] = []

async function callUntilItEnds(origin: string, client: string) {
  for (let i = 0; ; i++) {
    const email = `${client}-${i}@example.com`
    if (!(await post(`${origin}/api/subscribe`, { email }))) return
    emailsAcknowledged.push(email)
    const enquiry = { name: { first: 'Given', last: 'Family' }, email, msg: email }
    // Every other enquiry has a key.
    const headers = i % 2 ? { 'idempotency-key': randomUUID() } : {}
    if (!(await post(`${origin}/api/contact-us`, enquiry, headers))) return
    enquiriesAcknowledged.push(email)
  }
}

const missing = (acknowledged: string[], stored: string[]) => {
  const all = new Set(stored)
  return acknowledged.filter((email) => !all.has(email))
}

test.each(Array.from({ length: ROUNDS }, (_, i) => i + 1))(
  `kill -9 in the middle of ${CONNECTIONS} connections loses nothing that was acknowledged (round %i of ${ROUNDS})`,
  async (round) => {
    const server = await place.start()
    const before = emailsAcknowledged.length
    const clients = Array.from({ length: CONNECTIONS }, (_, i) => callUntilItEnds(server.origin, `r${round}c${i}`))
    await vi.waitUntil(() => emailsAcknowledged.length > before + ENOUGH, { timeout: 20_000 })
    server.signal('SIGKILL')
    expect(await server.exited).toBe(null)
    await Promise.all(clients)

    const again = await place.start()
    const emails = readTable(place.databaseFile, 'subscribers').map((row) => row.email)
    const enquiries = readTable(place.databaseFile, 'enquiries').map((row) => row.message)
    expect(missing(emailsAcknowledged, emails)).toEqual([])
    expect(missing(enquiriesAcknowledged, enquiries)).toEqual([])
    expect([new Set(emails).size, new Set(enquiries).size]).toEqual([emails.length, enquiries.length])
    expect(await post(`${again.origin}/api/subscribe`, { email: `after${round}@example.com` })).toBe(true)
    again.signal('SIGTERM')
    expect(await again.exited).toBe(0)
  },
)
