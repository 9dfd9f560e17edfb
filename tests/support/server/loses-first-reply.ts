import type { Database } from '../../../server/storage/database.ts'

/** Runs every statement, and fails the first time as if the connection had been lost before the answer. */
export function losesFirstReply(database: Database): Database {
  let heard = false
  return {
    ...database,
    async run(statements) {
      const answer = await database.run(statements)
      if (heard) return answer
      heard = true
      throw new Error('connection lost')
    },
  }
}
