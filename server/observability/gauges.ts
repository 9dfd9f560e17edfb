import { Gauge, type Registry } from 'prom-client'
import packageJson from '../../package.json' with { type: 'json' }
import type { Way } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'

type State = 'pending' | 'failed'

const STATES: readonly State[] = ['pending', 'failed']

export type EventCounts = readonly {
  readonly way: Way
  readonly state: State
  readonly events: number
  /** When the first of them was made. */
  readonly oldest: string
}[]

/** What is read when somebody asks: of this server, its database and what waits. They are there while the database is away, too. */
export function registerGauges(
  registry: Registry,
  store: Store,
  ways: readonly Way[],
  countEvents: () => Promise<EventCounts>,
): void {
  const registers = [registry]
  const info = new Gauge({
    name: 'leads_build_info',
    help: 'Always 1; the labels tell the version of this server and of its runtime.',
    labelNames: ['version', 'node'],
    registers,
  })
  info.set({ version: packageJson.version, node: process.versions.node }, 1)
  new Gauge({
    name: 'leads_database_up',
    help: 'Whether what comes now can be stored, as /readyz says.',
    registers,
    async collect() {
      this.set((await store.checkReadiness()) === 'ready' ? 1 : 0)
    },
  })
  // While the database is away, what it said last holds; before it said anything, nothing is known.
  let counts: EventCounts | null = null
  let reading: Promise<EventCounts | null> | null = null
  const readCounts = async () => {
    counts = await countEvents().catch(() => counts)
    reading = null
    return counts
  }
  /** One statement for both figures below. */
  const latestCounts = () => {
    reading ??= readCounts()
    return reading
  }
  new Gauge({
    name: 'leads_notifications',
    help: 'Notifications that are not sent, by way and state: pending, or failed for good.',
    labelNames: ['way', 'state'],
    registers,
    async collect() {
      const known = await latestCounts()
      this.reset()
      for (const way of ways) for (const state of STATES) this.set({ way, state }, known ? 0 : Number.NaN)
      for (const { way, state, events } of known ?? []) this.set({ way, state }, events)
    },
  })
  new Gauge({
    name: 'leads_oldest_pending_notification_age_seconds',
    help: 'Time since the oldest notification that is not sent and still tried was made, by way; 0 if there is none.',
    labelNames: ['way'],
    registers,
    async collect() {
      const known = await latestCounts()
      this.reset()
      for (const way of ways) this.set({ way }, known ? 0 : Number.NaN)
      for (const { way, oldest } of (known ?? []).filter(({ state }) => state === 'pending')) {
        this.set({ way }, (Date.now() - Date.parse(oldest)) / 1000)
      }
    },
  })
  new Gauge({
    name: 'leads_waiting',
    help: 'Items that wait for their commit, by queue.',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, length] of Object.entries(store.waiting())) this.set({ queue }, length)
    },
  })
}
