import { setTimeout } from 'node:timers/promises'
import { post } from './post.ts'

export type Load = {
  /** The addresses that a success was told for. */
  readonly acknowledged: string[]
  /** How often each status came, 0 for a call that had no whole answer. */
  readonly statuses: Map<number, number>
  /** Milliseconds of the slowest answer that was a refusal. */
  slowestRefusal(): number
  /** Those of the acknowledged that are not among what is stored. */
  missingFrom(stored: readonly { readonly email: string }[]): string[]
  stop(): Promise<void>
}

let loads = 0

/** Subscribes one new address after the other over `connections` at once, however that is answered, until it is stopped. */
export function startLoad(origin: string, connections = 50): Load {
  const name = `load${++loads}`
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let slowestRefusal = 0
  let stopped = false

  async function call(email: string) {
    const began = performance.now()
    const { status, body } = await post(`${origin}/api/subscribe`, { email })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 503) slowestRefusal = Math.max(slowestRefusal, performance.now() - began)
    if (status === 200 && body.success === true) acknowledged.push(email)
    // Whoever is refused at once must not use up the processor by asking again.
    else await setTimeout(10)
  }

  async function connection(number: number) {
    for (let i = 0; !stopped; i++) await call(`${name}c${number}-${i}@example.com`)
  }

  const running = Array.from({ length: connections }, (_, number) => connection(number))
  return {
    acknowledged,
    statuses,
    slowestRefusal: () => slowestRefusal,
    missingFrom(stored) {
      const emails = new Set(stored.map((row) => row.email))
      return acknowledged.filter((email) => !emails.has(email))
    },
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}
