import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import type { Channel } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'

type State = 'pending' | 'failed'

const STATES: readonly State[] = ['pending', 'failed']

type MessageCounts = readonly {
  readonly channel: Channel
  readonly state: State
  readonly messages: number
  /** When the oldest of them was created. */
  readonly oldest: string
}[]

export type Sources = {
  readonly store: Store
  readonly channels: readonly Channel[]
  countMessages(): Promise<MessageCounts>
  /** The file of the database; null for PostgreSQL. */
  readonly file: string | null
}

type Value = readonly [labels: Readonly<Record<string, string>>, value: number]

/** Metrics that are read at each scrape. They are served while the database is unavailable, too. */
export function registerGauges(registry: Registry, { store, channels, countMessages, file }: Sources): void {
  function gauge(name: string, help: string, labelNames: string[], read: () => Promise<readonly Value[]>) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const values = await read()
        this.reset()
        for (const [labels, value] of values) this.set(labels, value)
      },
    })
  }

  // Read before `leads_database_up`, whose check waits in the queue that is counted here.
  gauge('leads_waiting', 'Calls that wait for their commit.', [], async () => [[{}, store.pending()]])
  gauge('leads_database_up', '1 if leads can be stored, as /readyz reports, else 0.', [], async () => [
    [{}, (await store.checkReadiness()) === 'ready' ? 1 : 0],
  ])
  if (file !== null) {
    gauge('leads_database_bytes', 'Size of the database file.', [], async () => [
      [
        {},
        await stat(file).then(
          ({ size }) => size,
          () => Number.NaN,
        ),
      ],
    ])
    gauge('leads_database_free_bytes', 'Free space on the disk of the database file.', [], async () => [
      [
        {},
        await statfs(dirname(file)).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.NaN,
        ),
      ],
    ])
  }

  /** Null while the database is unavailable. */
  const readCounts = () => countMessages().catch(() => null)
  gauge(
    'leads_messages',
    'Messages not delivered, by channel and state: pending, or failed permanently.',
    ['channel', 'state'],
    async () => {
      const counts = await readCounts()
      return channels.flatMap((channel) =>
        STATES.map((state): Value => {
          const found = counts?.find((row) => row.channel === channel && row.state === state)
          return [{ channel, state }, counts ? (found?.messages ?? 0) : Number.NaN]
        }),
      )
    },
  )
  gauge(
    'leads_oldest_pending_message_age_seconds',
    'Age of the oldest pending message, by channel; 0 if there is none, or if a clock was ahead.',
    ['channel'],
    async () => {
      const counts = await readCounts()
      return channels.map((channel): Value => {
        const found = counts?.find((row) => row.channel === channel && row.state === 'pending')
        const age = found ? Math.max(0, (Date.now() - Date.parse(found.oldest)) / 1000) : 0
        return [{ channel }, counts ? age : Number.NaN]
      })
    },
  )
}
