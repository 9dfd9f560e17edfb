import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import type { Nginx } from '../../../scripts/nginx.ts'
import { until } from '../until.ts'
import { enquiry, expectProblemAnswer, subscription } from './deployment.ts'

export type Crowd = {
  /** Addresses and messages of which a success was told. */
  readonly subscribed: string[]
  readonly enquired: string[]
  /** How often each path was answered with each status. */
  readonly statuses: ReadonlyMap<string, number>
  acknowledged(): number
  /** Waits until so many more calls were acknowledged. */
  more(count: number): Promise<void>
  /** Waits until so many more calls were refused. */
  refusals(count: number): Promise<void>
  /** Rejects if an answer was none of those that there may be: a success, a refusal in the contract's form, or the page. */
  stop(): Promise<void>
}

let crowds = 0

/** Clients behind nginx, each at an address of its own: each loads the page, subscribes and enquires, again and again; what is refused is sent again as it was. */
export function startCrowd(nginx: Nginx, clients: number): Crowd {
  const name = `crowd${++crowds}`
  const subscribed: string[] = []
  const enquired: string[] = []
  const statuses = new Map<string, number>()
  let refused = 0
  let over = false

  const count = (path: string, status: number) =>
    statuses.set(`${path} ${status}`, (statuses.get(`${path} ${status}`) ?? 0) + 1)

  type Client = { readonly from: string; readonly agent: Agent }

  async function call(path: string, sent: ReturnType<typeof enquiry>, client: Client): Promise<boolean> {
    while (!over) {
      const answer = await nginx.send(path, { ...sent, ...client })
      count(path, answer.status)
      if (answer.status === 200) return JSON.parse(answer.body.toString()).success === true
      expectProblemAnswer(answer, 503)
      refused += 1
      // Whoever is refused at once must not use up the processor by asking again.
      await setTimeout(10)
    }
    return false
  }

  async function visit(number: number) {
    const client = { from: `127.0.0.${number + 1}`, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }
    for (let i = 0; !over; i++) {
      const mark = `${name}.${number}.${i}`
      const page = await nginx.send('/', client)
      count('/', page.status)
      if (page.status !== 200) throw new Error(`the page was answered ${page.status}`)
      const email = `${mark}@example.com`
      if (await call('/api/subscribe', subscription(email), client)) subscribed.push(email)
      const asked = enquiry(mark)
      const keyed = { ...asked, headers: { ...asked.headers, 'idempotency-key': randomUUID() } }
      if (await call('/api/contact-us', keyed, client)) enquired.push(mark)
    }
    client.agent.destroy()
  }

  const run = Promise.all(Array.from({ length: clients }, (_, number) => visit(number)))
  // Told to whoever waits next.
  run.catch(() => {})
  const acknowledged = () => subscribed.length + enquired.length
  /** What a client saw that it must not is told at once. */
  const wait = (holds: () => boolean) => Promise.race([run, until(holds)]).then(() => {})
  return {
    subscribed,
    enquired,
    statuses,
    acknowledged,
    more(count) {
      const before = acknowledged()
      return wait(() => acknowledged() >= before + count)
    },
    refusals(count) {
      const before = refused
      return wait(() => refused >= before + count)
    },
    async stop() {
      over = true
      await run
    },
  }
}
