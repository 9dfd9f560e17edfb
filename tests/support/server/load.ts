import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { VISITOR_TABLES, type VisitorTable } from '../../../server/storage/database.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../enquiries.ts'
import { TEST_TIMEOUT } from '../timeouts.ts'
import { until } from '../until.ts'
import { readTable } from './databases.ts'

/** Posts JSON without the headers of a browser. Returns the status, or 0 if no complete answer came. */
export function post(url: string, body: object, headers: Record<string, string> = {}): Promise<number> {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  const call = fetch(url, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
  return call.then((answer) => answer.text().then(() => answer.status)).catch(() => 0)
}

/** Starts clients that subscribe and enquire until the test ends. They send a refused call again, unchanged. */
export function startLoad(origin: string, clients: number) {
  const acknowledged: Record<VisitorTable, string[]> = { subscribers: [], enquiries: [] }
  const statuses: number[] = []
  const countOf = (status: number) => statuses.filter((each) => each === status).length
  let stopped = false
  onTestFinished(() => {
    stopped = true
  })

  async function call(path: string, body: object, onAcknowledged: () => void) {
    const headers = { 'idempotency-key': randomUUID() }
    while (!stopped) {
      const status = await post(origin + path, body, headers)
      statuses.push(status)
      if (status === 200) return onAcknowledged()
      // A client that is refused at once must not use up the processor by asking again.
      await setTimeout(50)
    }
  }

  async function client() {
    while (!stopped) {
      const email = `${randomUUID()}@example.com`
      await call('/api/subscribe', subscriptionOf(email), () => acknowledged.subscribers.push(email))
      await call('/api/contact-us', bodyOf(anEnquiry({ email })), () => acknowledged.enquiries.push(email))
    }
  }

  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    /** Waits until `increase` more calls were answered with a status. */
    waitFor(status: number, increase: number) {
      const count = countOf(status) + increase
      return until(() => countOf(status) >= count, TEST_TIMEOUT)
    },
    /** Ends the load. Each acknowledged call must then have exactly one row in the database. */
    async stop(url: string, expectedStatuses: readonly number[]) {
      stopped = true
      await running
      expect([...new Set(statuses)].toSorted((one, other) => one - other)).toEqual(expectedStatuses)
      for (const table of VISITOR_TABLES) {
        const emails = (await readTable(url, table)).map(({ email }) => email)
        const stored = new Set(emails)
        expect(acknowledged[table].filter((email) => !stored.has(email))).toEqual([])
        expect(stored.size).toBe(emails.length)
      }
    },
  }
}
