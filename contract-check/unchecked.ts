import { DURABLE } from './restart-checks.ts'
import type { Result, Verdict } from './trial.ts'

/** What a run does not tell, so that nobody takes its green for more. */
export function uncheckedIn(results: readonly Result[], leftOut: number): string[] {
  const has = (outcome: string, verdict: Verdict) =>
    results.some((result) => result.outcome === outcome && result.verdict === verdict)
  const crash = has(DURABLE, 'held')
    ? 'a crash of the machine'
    : 'a crash of the machine, or of the process: see --restart'
  return [
    `that what is acknowledged outlives ${crash}`,
    'that nothing is stored twice, nothing of a refused request, and nothing but what was sent',
    'how long an Idempotency-Key stays bound',
    'what is answered when nothing can be stored (503), after a fault (500), and to what is declined',
    ...(has('too-many-requests', 'not from outside') ? ['how calls are limited (429): none was'] : []),
    ...(has('forbidden', 'not from outside') ? ['the XSRF token: it is not used'] : []),
    'that calls from pages of another site are refused: a backend may take them',
    ...(leftOut > 0 ? [`the ${leftOut} checks that --only and --quick leave out`] : []),
  ]
}
