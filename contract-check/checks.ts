import type { Operation } from './contract.ts'
import { generatedChecks } from './generated-checks.ts'
import { plainChecks } from './plain-checks.ts'
import { repeatChecks } from './repeat-checks.ts'
import { restartChecks } from './restart-checks.ts'
import type { Check } from './trial.ts'

type Details = { readonly origin: string; readonly seed: number; readonly runs: number; readonly restart: string }

export type Planned = Omit<Check, 'operation'>

/** In the order of the contract's outcomes, the plainest of each first; `origin` is that of the page. */
export function checksOf(operations: readonly Operation[], { origin, seed, runs, restart }: Details): Check[] {
  const checks = operations.flatMap((operation): Check[] => {
    const all = [
      ...plainChecks(operation, origin),
      ...repeatChecks(operation),
      ...generatedChecks(operation, seed, runs),
    ]
    return operation.outcomes.flatMap((outcome) => {
      const ours = all.filter((check) => check.outcome === outcome).map((check) => ({ operation, ...check }))
      return ours.length > 0 ? ours : [{ operation, outcome, title: 'can’t be caused from outside' }]
    })
  })
  return restart ? [...checks, ...restartChecks(operations, restart)] : checks
}
