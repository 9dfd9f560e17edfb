import type { Operation } from '../../operations.ts'
import type { Check } from '../check.ts'
import { acceptedRequests } from './accepted.ts'
import { addressChecks } from './addresses.ts'
import { durabilityChecks } from './durability.ts'
import { generatedChecks } from './generated.ts'
import { idempotencyChecks } from './idempotency.ts'
import { invalidRequests, refusedRequests } from './refused.ts'
import { tokenChecks } from './tokens.ts'

type Options = { readonly origin: string; readonly seed: number; readonly runs: number; readonly restart: string }

/**
 * All checks, in the order of the contract's outcomes, the simplest of each first. What a schema or a required header of
 * openapi.yaml says is checked with every answer, and needs no check of its own. `origin` is that of the page.
 */
export function checksOf(operations: readonly Operation[], { origin, seed, runs, restart }: Options): Check[] {
  const checks = operations.flatMap((operation) => {
    const all = [
      ...acceptedRequests(operation, origin),
      ...invalidRequests(operation),
      ...refusedRequests(operation),
      ...(operation.name === 'subscribe' ? addressChecks(operation, operations) : []),
      ...tokenChecks(operation, operations),
      ...(operation.name === 'contactUs' ? idempotencyChecks(operation, operations) : []),
      ...generatedChecks(operation, seed, runs),
    ]
    return operation.outcomes.flatMap((outcome): Check[] => {
      const ours = all.filter((check) => check.outcome === outcome)
      return ours.length > 0 ? ours : [{ operation, outcome, title: 'not testable from outside', rule: '' }]
    })
  })
  return [...checks, ...operations.flatMap((operation) => durabilityChecks(operation, restart))]
}
