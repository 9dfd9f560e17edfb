import type { Operation } from './contract.ts'
import { generatedChecks } from './generated-checks.ts'
import { plainChecks } from './plain-checks.ts'
import { repeatChecks } from './repeat-checks.ts'
import { request } from './requests.ts'
import { type Check, inTurn } from './trial.ts'

/** In the order of the contract's outcomes, the plainest of each first. */
export function checksOf(operation: Operation, seed: number, runs: number): Check[] {
  const checks = [...plainChecks(operation), ...repeatChecks(operation), ...generatedChecks(operation, seed, runs)]
  return operation.outcomes.flatMap((outcome) => {
    const ours = checks.filter((check) => check.outcome === outcome)
    return ours.length > 0 ? ours : [{ outcome, title: 'can’t be caused from outside' }]
  })
}

/** What is to be no operation. */
export function checksElsewhere(paths: readonly string[]): Check[] {
  const others = ['/api/no-such-path', ...paths.map((path) => `${path}/more`)]
  const calls = (methods: string[], paths: readonly string[]) =>
    paths.flatMap((path) => methods.map((method) => request(method, path, method === 'POST' ? '{}' : '')))
  const missing = (outcome: string, title: string, methods: string[], paths: readonly string[]) => ({
    outcome,
    title: `${title} are 404 or 405`,
    run: inTurn(['404 or 405', ...calls(methods, paths)]),
  })
  return [
    missing('method', 'other methods on the paths', ['GET', 'PUT', 'DELETE', 'PATCH'], paths),
    missing('path', 'other paths below /api', ['GET', 'POST'], others),
  ]
}
