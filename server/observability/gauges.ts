import { Gauge, type Registry } from 'prom-client'
import packageJson from '../../package.json' with { type: 'json' }
import type { Channel, FileStatus, ServedDatabase } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'

type State = 'pending' | 'failed'

const STATES: readonly State[] = ['pending', 'failed']

type EventCounts = readonly {
  readonly channel: Channel
  readonly state: State
  readonly events: number
  /** When the oldest of them was created. */
  readonly oldest: string
}[]

export type Sources = {
  readonly store: Store
  readonly channels: readonly Channel[]
  countEvents(): Promise<EventCounts>
  readonly fileStatus: ServedDatabase['fileStatus']
}

const OF_FILE: readonly [name: string, help: string, read: (status: FileStatus) => number][] = [
  ['leads_database_bytes', 'Size of the database file.', ({ size }) => size],
  ['leads_database_free_bytes', 'Free space on the disk of the database file.', ({ free }) => free],
  ['leads_database_lost', '1 if the database file was lost: see the log.', ({ isLost }) => Number(isLost)],
]

/** Metrics that are read at each scrape. They are served while the database is unavailable, too. */
export function registerGauges(registry: Registry, { store, channels, countEvents, fileStatus }: Sources): void {
  const registers = [registry]
  const info = new Gauge({
    name: 'leads_build_info',
    help: 'Always 1; the labels are the versions of this server and of Node.',
    labelNames: ['version', 'node'],
    registers,
  })
  info.set({ version: packageJson.version, node: process.versions.node }, 1)
  new Gauge({
    name: 'leads_database_up',
    help: '1 if leads can be stored, as /readyz reports, else 0.',
    registers,
    async collect() {
      this.set((await store.checkReadiness()) === 'ready' ? 1 : 0)
    },
  })
  for (const [name, help, read] of fileStatus() ? OF_FILE : []) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const status = fileStatus()
        if (status) this.set(read(status))
      },
    })
  }
  // While the database is unavailable, the last counts are served; before the first, NaN.
  let counts: EventCounts | null = null
  let reading: Promise<EventCounts | null> | null = null
  const readCounts = async () => {
    counts = await countEvents().catch(() => counts)
    reading = null
    return counts
  }
  /** One statement for both gauges below. */
  const latestCounts = () => {
    reading ??= readCounts()
    return reading
  }
  new Gauge({
    name: 'leads_notifications',
    help: 'Notifications not delivered, by channel and state: pending, or failed permanently.',
    labelNames: ['channel', 'state'],
    registers,
    async collect() {
      const known = await latestCounts()
      this.reset()
      for (const channel of channels) for (const state of STATES) this.set({ channel, state }, known ? 0 : Number.NaN)
      for (const { channel, state, events } of known ?? []) this.set({ channel, state }, events)
    },
  })
  new Gauge({
    name: 'leads_oldest_pending_notification_age_seconds',
    help: 'Age of the oldest pending notification, by channel; 0 if there is none.',
    labelNames: ['channel'],
    registers,
    async collect() {
      const known = await latestCounts()
      this.reset()
      for (const channel of channels) this.set({ channel }, known ? 0 : Number.NaN)
      for (const { channel, oldest } of (known ?? []).filter(({ state }) => state === 'pending')) {
        // Not negative, though a clock was ahead.
        this.set({ channel }, Math.max(0, (Date.now() - Date.parse(oldest)) / 1000))
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
