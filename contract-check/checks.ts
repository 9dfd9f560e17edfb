import type { Operation } from './contract.ts'
import { generatedChecks } from './generated-checks.ts'
import { plainChecks } from './plain-checks.ts'
import { repeatChecks } from './repeat-checks.ts'
import type { Check } from './trial.ts'

export type Planned = Omit<Check, 'operation'>

/** In the order of the contract's outcomes, the plainest of each first; `origin` is that of the page. */
export function checksOf(operations: readonly Operation[], origin: string, seed: number, runs: number): Check[] {
  return operations.flatMap((operation): Check[] => {
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
}
