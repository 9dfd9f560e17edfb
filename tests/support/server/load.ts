import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { anEnquiry, bodyOf, subscriptionOf } from '../enquiries.ts'
import { until } from '../until.ts'
import type { Nginx } from './nginx.ts'
import { jsonCall, post } from './post.ts'

export type Load = ReturnType<typeof startLoad>

let loads = 0

/**
 * Clients that subscribe and enquire again and again, however that is answered; what is refused is sent again as it was.
 * Behind nginx each has an address of its own and loads the page before each call; what it must not see there rejects.
 */
export function startLoad(to: string | Nginx, clients = 50) {
  const name = `load${++loads}`
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let stopped = false

  /** Sends a body until it is acknowledged. */
  async function insist(send: typeof post, url: string, body: object, mark: string) {
    const headers = { 'idempotency-key': randomUUID() }
    while (!stopped) {
      const answer = await send(url, body, headers)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 200 && answer.body.success === true) return void acknowledged.push(mark)
      // Whoever is refused at once must not use up the processor by asking again.
      await setTimeout(answer.status === 0 ? 100 : 10)
    }
  }

  async function client(number: number) {
    const [origin, send] = typeof to === 'string' ? [to, post] : ['', sendThrough(to, number)]
    for (let i = 0; !stopped; i++) {
      const message = `${name}.${number}.${i}`
      const email = `${message}@example.com`
      await insist(send, `${origin}/api/subscribe`, subscriptionOf(email), email)
      await insist(send, `${origin}/api/contact-us`, bodyOf(anEnquiry({ message })), message)
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  // Told to whoever waits from now on.
  running.catch(() => {})
  function growth(count: () => number, by: number) {
    const goal = count() + by
    return Promise.race([running, until(() => count() >= goal)])
  }
  return {
    /** The addresses, and the messages of enquiries, that a success was told for. */
    acknowledged,
    /** How often each status came, 0 for a call that had no whole answer. */
    statuses,
    /** Waits until so many more calls were acknowledged, or refused. */
    more: (by: number) => growth(() => acknowledged.length, by),
    refusals: (by: number) => growth(() => statuses.get(503) ?? 0, by),
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

function sendThrough(nginx: Nginx, number: number): typeof post {
  const client = { from: `127.0.0.${number + 1}`, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }
  return async (path, body, headers) => {
    const page = await nginx.send('/', client)
    if (page.statusCode !== 200) throw new Error(`the page was answered ${page.statusCode}`)
    const { statusCode: status, json } = await nginx.send(path, { ...client, ...jsonCall(body, headers) })
    if (status !== 200 && status !== 503) throw new Error(`${path} was answered ${status}`)
    return { status, body: json() }
  }
}
