import type { Operation } from '../contract/operations.ts'
import { addressChecks } from './address-checks.ts'
import type { Check } from './context.ts'
import { idempotencyChecks } from './idempotency-checks.ts'
import { propertyChecks } from './property-checks.ts'
import { requestChecks } from './request-checks.ts'
import { restartChecks } from './restart-checks.ts'
import { tokenChecks } from './token-checks.ts'

type Details = { readonly origin: string; readonly seed: number; readonly runs: number; readonly restart: string }

/** All checks, in the order of the contract's outcomes, the simplest of each first. `origin` is that of the page. */
export function checksOf(operations: readonly Operation[], { origin, seed, runs, restart }: Details): Check[] {
  const checks = operations.flatMap((operation): Check[] => {
    const all = [
      ...requestChecks(operation, origin),
      ...addressChecks(operation, operations),
      ...tokenChecks(operation, operations),
      ...idempotencyChecks(operation, operations),
      ...propertyChecks(operation, seed, runs),
    ]
    return operation.outcomes.flatMap((outcome) => {
      const ours = all.filter((check) => check.outcome === outcome).map((check) => ({ operation, ...check }))
      return ours.length > 0 ? ours : [{ operation, outcome, title: 'not testable from outside', rule: '' }]
    })
  })
  return restart ? [...checks, ...restartChecks(operations, restart)] : checks
}
