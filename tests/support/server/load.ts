import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { anEnquiry, bodyOf, subscriptionOf } from '../enquiries.ts'
import { until } from '../until.ts'

/** Posts JSON without the headers of a browser. Status 0 means that no complete answer in JSON came. */
export async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  try {
    const answer = await fetch(url, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: {} }
  }
}

let loads = 0

/** Starts clients that subscribe and enquire until they are stopped. They repeat a refused call without a change. */
export function startLoad(origin: string, clients: number) {
  const name = `load${++loads}`
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let stopped = false

  async function isTaken(url: string, body: object) {
    const headers = { 'idempotency-key': randomUUID() }
    while (!stopped) {
      const answer = await post(url, body, headers)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 200) return answer.body.success === true
      // A client that is refused at once must not use up the processor by asking again.
      await setTimeout(answer.status === 0 ? 100 : 10)
    }
    return false
  }

  async function client(number: number) {
    for (let i = 0; !stopped; i++) {
      const mark = `${name}.${number}.${i}`
      const email = `${mark}@example.com`
      if (await isTaken(`${origin}/api/subscribe`, subscriptionOf(email))) acknowledged.push(email)
      if (await isTaken(`${origin}/api/contact-us`, bodyOf(anEnquiry({ message: mark })))) acknowledged.push(mark)
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  function waitFor(count: () => number, increase: number) {
    const earlierCount = count()
    return Promise.race([running, until(() => count() >= earlierCount + increase)])
  }
  return {
    /** The number of answers with each status. Status 0 means that no complete answer came. */
    statuses,
    /** Waits until so many more calls were acknowledged. */
    waitForAcknowledged: (increase: number) => waitFor(() => acknowledged.length, increase),
    /** Waits until so many more calls were refused. */
    waitForRefused: (increase: number) => waitFor(() => statuses.get(503) ?? 0, increase),
    /** The acknowledged addresses and messages that are not in these rows. */
    missingFrom(subscribers: readonly { email: string }[], enquiries: readonly { message: string }[]) {
      const stored = new Set([...subscribers.map(({ email }) => email), ...enquiries.map(({ message }) => message)])
      return acknowledged.filter((text) => !stored.has(text))
    },
    stop() {
      stopped = true
      return running
    },
  }
}
