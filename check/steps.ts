import { execSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '../contract/operations.ts'
import type { Code } from './advice.ts'
import { expectAnswer, type Outcome } from './answer.ts'
import { type Change, callOf, send } from './call.ts'
import { endTest } from './report.ts'
import { RESTART } from './settings.ts'

/** What may come. Of several calls at once exactly one brings the first of two outcomes. */
export type Expected = Outcome | readonly Outcome[]
/** Calls that are sent at once, as changes of the contract's example; or a restart of the backend. */
export type Step = readonly [Expected | 'restart', ...Change[]]
/** What differs from the contract's example, in words; and the steps, one after the other. */
export type Row = readonly [title: string, ...Step[]]
/** Rules, each with the rows that show whether a backend keeps it, the simplest first. */
export type Table = Readonly<Partial<Record<Code, readonly Row[]>>>

/** Goes through the steps of a row, up to the first fault. */
export async function run(operation: Operation, code: Code, steps: readonly Step[]): Promise<void> {
  for (const [expected, ...changes] of steps) {
    if (expected === 'restart') await restart(operation)
    else {
      const outcomes = [expected].flat()
      const calls = changes.map((change) => callOf(operation, change))
      const answers = await Promise.all(calls.map((call) => expectAnswer(operation, code, outcomes, call)))
      const [[call], [answer]] = [calls, answers]
      const count = answers.filter(({ outcome }) => outcome === outcomes[0]).length
      if (!call || !answer || outcomes.length === 1 || calls.length === 1 || count === 1) continue
      const text = `expected ${outcomes[0]} for exactly one of ${calls.length} calls at once`
      endTest({ code, text, value: `for ${count}` }, call, answer)
    }
  }
}

/** Kills the backend and starts it again by the operator's command, and waits until it answers. */
async function restart(operation: Operation): Promise<void> {
  execSync(RESTART, { stdio: 'ignore', timeout: 60_000 })
  for (let tries = 0; tries < 600; tries++) {
    // A gateway may answer in the place of the backend.
    const { status } = await send(callOf(operation, { method: 'GET', path: '/api' })).catch(() => ({ status: 502 }))
    if (status < 502) return
    await sleep(100)
  }
  throw new Error('the backend does not answer any more after the --restart command')
}
