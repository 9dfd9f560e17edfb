import { bodyChecks } from './body-checks.ts'
import type { Check, Make } from './check.ts'
import type { Operation } from './contract.ts'
import { generatedCases } from './generated-cases.ts'
import { outcomeChecks } from './outcome-checks.ts'
import { repeatChecks } from './repeat-checks.ts'
import type { Requests } from './requests.ts'

/** Every check, in the order of the contract's outcomes; what belongs to none of them comes last. */
export function checksOf(operations: readonly Operation[], requests: Requests, seed: number, runs: number): Check[] {
  const makes: Make[] = [outcomeChecks, bodyChecks, repeatChecks, ...(runs > 0 ? [generatedCases(seed, runs)] : [])]
  const checks = operations.flatMap((operation) => {
    const made = makes.flatMap((make) => make(operation, requests))
    return operation.outcomes.flatMap((outcome) => {
      const ours = made.filter((check) => check.outcome === outcome)
      return ours.length > 0 ? ours : [{ operation, outcome, title: 'can’t be caused from outside', quick: true }]
    })
  })
  return [...checks, ...elsewhere(operations)]
}

function elsewhere(operations: readonly Operation[]): Check[] {
  const paths = operations.map(({ path }) => path)
  const json = { 'content-type': 'application/json' }
  const check = (outcome: string, title: string, calls: [method: string, path: string][]): Check => ({
    outcome,
    title,
    async run(trial) {
      for (const [method, path] of calls) {
        const body = Buffer.from(method === 'POST' ? '{}' : '')
        await trial.expect({ method, path, headers: json, body }, '404 or 405')
      }
    },
  })
  return [
    check('method', 'other methods on the paths are 404 or 405', [
      ...paths.flatMap((path) => ['GET', 'PUT', 'DELETE', 'PATCH'].map((method): [string, string] => [method, path])),
    ]),
    check('path', 'other paths below /api are 404 or 405', [
      ...['/api/no-such-path', ...paths.map((path) => `${path}/more`)].flatMap((path): [string, string][] => [
        ['GET', path],
        ['POST', path],
      ]),
    ]),
  ]
}
