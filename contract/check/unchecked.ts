import type { Result, Verdict } from './result.ts'
import { DURABLE } from './table/durability.ts'

/** What a run did not check, so that nobody takes its green for more. */
export function uncheckedIn(results: readonly Result[], leftOut: number): string[] {
  const has = (outcome: string, verdict: Verdict) =>
    results.some((result) => result.outcome === outcome && result.verdict === verdict)
  const crash = has(DURABLE, 'passed')
    ? 'a crash of the machine'
    : 'a crash of the machine, or of the process: see --restart'
  return [
    `that what is acknowledged outlives ${crash}`,
    'that nothing is stored twice, and nothing but what was sent',
    'how long an Idempotency-Key stays bound',
    'the answers when nothing can be stored (503), after an internal error (500), and to what is declined',
    ...(has('too-many-requests', 'skipped') ? ['how calls are limited (429): none was'] : []),
    ...(has('forbidden', 'skipped') ? ['the XSRF token: the backend does not use one'] : []),
    'that calls from pages of another site are refused: a backend may take them',
    ...(leftOut > 0 ? [`the ${leftOut} checks that --only and --quick leave out`] : []),
  ]
}
