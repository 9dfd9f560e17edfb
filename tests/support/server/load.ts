import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { anEnquiry, bodyOf, subscriptionOf } from '../enquiries.ts'
import { until } from '../until.ts'

/** Posts JSON without the headers of a browser. Returns the status, or 0 if no complete answer came. */
export async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<number> {
  const allHeaders = { 'content-type': 'application/json', ...headers }
  try {
    const answer = await fetch(url, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
    await answer.text()
    return answer.status
  } catch {
    return 0
  }
}

/** Starts clients that subscribe and enquire until the test ends. They repeat a refused call without a change. */
export function startLoad(origin: string, clients: number) {
  const name = randomUUID()
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  const countOf = (status: number) => statuses.get(status) ?? 0
  let stopped = false

  async function call(path: string, body: object, text: string) {
    const headers = { 'idempotency-key': randomUUID() }
    while (!stopped) {
      const status = await post(origin + path, body, headers)
      statuses.set(status, countOf(status) + 1)
      if (status === 200) return void acknowledged.push(text)
      // A client that is refused at once must not use up the processor by asking again.
      await setTimeout(status === 0 ? 100 : 10)
    }
  }

  async function client(number: number) {
    for (let i = 0; !stopped; i++) {
      const message = `${name}.${number}.${i}`
      await call('/api/subscribe', subscriptionOf(`${message}@example.com`), `${message}@example.com`)
      await call('/api/contact-us', bodyOf(anEnquiry({ message })), message)
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  function stop() {
    stopped = true
    return running
  }
  onTestFinished(() => void stop())
  return {
    /** The number of answers with each status. */
    statuses,
    /** Waits until so many more calls were answered with a status. */
    waitFor(status: number, increase: number) {
      const count = countOf(status) + increase
      return Promise.race([running, until(() => countOf(status) >= count)])
    },
    stop,
    /** The acknowledged addresses and messages that are not in these rows. */
    missingFrom(subscribers: readonly { email: string }[], enquiries: readonly { message: string }[]) {
      const stored = new Set([...subscribers.map(({ email }) => email), ...enquiries.map(({ message }) => message)])
      return acknowledged.filter((text) => !stored.has(text))
    },
  }
}
