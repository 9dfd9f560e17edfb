import { sql } from 'kysely'
import type { Database } from '../server/storage/database.ts'
import { formatTable } from './format.ts'
import { inSnapshot, type LeadTable } from './rows.ts'

type Counts = Readonly<Record<LeadTable, number>>

export type Stats = Awaited<ReturnType<typeof readStats>>

/** Also of the last 14 days, and of enquiries with a notification not delivered yet; `failed` ones are not retried. */
export const readStats = (database: Database) =>
  inSnapshot(database, async (db) => {
    const day = sql<string>`substr(created_at, 1, 10)`
    async function countByDay(table: LeadTable) {
      const counted = db.selectFrom(table).select((row) => [day.as('day'), row.fn.countAll<number>().as('count')])
      return new Map((await counted.groupBy(day).execute()).map((row) => [row.day, row.count]))
    }
    const byDay = { subscribers: await countByDay('subscribers'), enquiries: await countByDay('enquiries') }
    const unsent = await db
      .selectFrom('outbox')
      .select((row) => ['state', row.fn.count<number>('lead_id').distinct().as('count')])
      .where('kind', '=', 'enquiry')
      .groupBy('state')
      .execute()
    const unsentIn = (state: 'pending' | 'failed') => unsent.find((row) => row.state === state)?.count ?? 0
    const both = (count: (days: Map<string, number>) => number): Counts => ({
      subscribers: count(byDay.subscribers),
      enquiries: count(byDay.enquiries),
    })
    const on = (name: string) => both((days) => days.get(name) ?? 0)
    return {
      timezone: 'UTC',
      total: both((days) => [...days.values()].reduce((sum, count) => sum + count, 0)),
      today: on(dayBefore(0)),
      days: Array.from({ length: 14 }, (_, i) => dayBefore(13 - i)).map((name) => ({ day: name, ...on(name) })),
      unsent: { pending: unsentIn('pending'), failed: unsentIn('failed') },
    }
  })

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** For people. */
export function formatStats({ total, today, days, unsent }: Stats): string {
  const newestFirst = [{ day: 'total', ...total }, { day: 'today', ...today }, ...days.toReversed().slice(1)]
  return `${formatTable(newestFirst)}Enquiries unsent: ${unsent.pending} pending, ${unsent.failed} failed. Days are UTC.\n`
}
