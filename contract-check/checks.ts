import type { Operation } from './contract.ts'
import { generatedChecks } from './generated-checks.ts'
import { plainChecks } from './plain-checks.ts'
import { repeatChecks } from './repeat-checks.ts'
import { request } from './requests.ts'
import { type Check, inTurn } from './trial.ts'

/** In the order of the contract's outcomes, the plainest of each first; what is to be no operation comes last. */
export function checksOf(operations: readonly Operation[], seed: number, runs: number): Check[] {
  const checks = operations.flatMap((operation): Check[] => {
    const all = [...plainChecks(operation), ...repeatChecks(operation), ...generatedChecks(operation, seed, runs)]
    return operation.outcomes.flatMap((outcome) => {
      const ours = all.filter((check) => check.outcome === outcome).map((check) => ({ operation, ...check }))
      return ours.length > 0 ? ours : [{ operation, outcome, title: 'can’t be caused from outside' }]
    })
  })
  const paths = operations.map(({ path }) => path)
  const others = ['/api/no-such-path', ...paths.map((path) => `${path}/more`)]
  return [
    ...checks,
    missing('method', 'other methods on the paths are 404 or 405', ['GET', 'PUT', 'DELETE', 'PATCH'], paths),
    missing('path', 'other paths below /api are 404 or 405', ['GET', 'POST'], others),
  ]
}

function missing(outcome: string, title: string, methods: string[], paths: string[]): Check {
  const calls = paths.flatMap((path) => methods.map((name) => request(name, path, name === 'POST' ? '{}' : '')))
  return { outcome, title, run: inTurn(['404 or 405', ...calls]) }
}
