import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { anEnquiry, bodyOf, subscriptionOf } from '../enquiries.ts'
import { until } from '../until.ts'
import { post } from './post.ts'

let loads = 0

/** Clients that subscribe and enquire again and again, however that is answered; what is refused is sent again as it was. */
export function startLoad(origin: string, clients = 50) {
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
      // Whoever is refused at once must not use up the processor by asking again.
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
  // Told to whoever waits next.
  running.catch(() => {})
  function more(count: () => number, by: number) {
    const before = count()
    return Promise.race([running, until(() => count() >= before + by)])
  }
  return {
    /** The addresses, and the messages of enquiries, that a success was told for. */
    acknowledged,
    /** How often each status came, 0 for a call that had no whole answer. */
    statuses,
    /** Waits until so many more calls were acknowledged, or refused. */
    more: (by: number) => more(() => acknowledged.length, by),
    refusals: (by: number) => more(() => statuses.get(503) ?? 0, by),
    /** Those of the acknowledged that are not among what is stored. */
    missingFrom(subscribers: readonly { email: string }[], enquiries: readonly { message: string }[]) {
      const stored = new Set([...subscribers.map(({ email }) => email), ...enquiries.map(({ message }) => message)])
      return acknowledged.filter((each) => !stored.has(each))
    },
    stop() {
      stopped = true
      return running
    },
  }
}
