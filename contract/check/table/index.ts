import type { Operation } from '../../operations.ts'
import type { Row } from '../context.ts'
import { acceptedRows } from './accepted.ts'
import { addressRows } from './addresses.ts'
import { DURABLE } from './durability.ts'
import { idempotencyRows } from './idempotency.ts'
import { invalidRows } from './invalid.ts'
import { refusedRows } from './refused.ts'
import { tokenRows } from './tokens.ts'

/**
 * All rows of both operations, in the order of the contract's outcomes. What a schema or a required header of
 * openapi.yaml says is checked with every answer, and needs no row. `origin` is that of the page, `restart` a command
 * or ''.
 */
export function tableOf(operations: readonly Operation[], origin: string, restart: string) {
  const rows = operations.flatMap((operation, i) => {
    // Rare cases are sent to the first operation alone: most backends read both bodies by the same code.
    const rare = <T>(...cases: T[]): T[] => (i === 0 ? cases : [])
    const all: Row[] = [
      ...acceptedRows(operation, origin, rare),
      ...invalidRows(operation, rare),
      ...refusedRows(operation, rare),
      ...(operation.name === 'subscribe' ? addressRows(operation, operations, restart) : []),
      ...tokenRows(operation),
      ...(operation.name === 'contactUs' ? idempotencyRows(operation, restart) : []),
    ]
    const outcomes = [...operation.outcomes.keys(), ...(restart ? [DURABLE.outcome] : [])]
    return outcomes
      .flatMap((outcome) => all.filter((row) => row.outcome === outcome))
      .filter((row) => !('requests' in row && row.requests.length === 0))
      .map((row) => ({ ...row, operation }))
  })
  const isLast = ({ outcome }: Row) => Number(outcome === DURABLE.outcome)
  return rows.toSorted((one, other) => isLast(one) - isLast(other))
}
