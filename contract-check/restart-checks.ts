import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Operation, parseJson } from '../contract/operations.ts'
import type { Call } from './client.ts'
import type { Check, CheckContext, Evaluation } from './context.ts'
import { bodyOf, newAddress, request, setAt } from './requests.ts'

export const DURABLE = 'durable'

const CONCURRENCY = 4
const MIN_ACKNOWLEDGED = 50
const PAUSE_MS = 5
const ANSWERS = [200, 422]
/** How long a backend may take until it answers again. */
const MAX_START_MS = 60_000

/** A new call, and one whose answer tells whether the first was stored. */
type Probe = { readonly call: Call; readonly again: Call }

const PROBES: Record<string, { makeCalls(operation: Operation): Probe; isStored(answer: Answer): boolean }> = {
  subscribe: {
    makeCalls({ path }) {
      const call = request('POST', path, { email: newAddress() })
      return { call, again: call }
    },
    isStored: ({ status, body }) => status === 200 && Object(parseJson(body)).email_exists === true,
  },
  contactUs: {
    makeCalls(operation) {
      const body = bodyOf(operation)
      const send = (body: object, key: string) => request('POST', operation.path, body, { 'idempotency-key': key })
      const key = crypto.randomUUID()
      return { call: send(body, key), again: send(setAt(body, '/msg', 'Another'), key) }
    },
    isStored: ({ status }) => status === 422,
  },
}

/** Kills and restarts the backend by the operator's command while calls are in flight, then looks for all it acknowledged. */
export function restartChecks(operations: readonly Operation[], command: string): Check[] {
  return operations.flatMap((operation) => {
    const probe = PROBES[operation.name]
    if (!probe) return []
    const title = 'what was acknowledged before a kill is still there'
    const makeCalls = () => probe.makeCalls(operation)
    return [
      {
        operation,
        outcome: DURABLE,
        title,
        rule: 'the data survives a crash of the process and of the machine',
        run: (context) => survivesRestart(context, command, makeCalls, probe.isStored),
      },
    ]
  })
}

async function survivesRestart(
  context: CheckContext,
  command: string,
  makeCalls: () => Probe,
  isStored: (answer: Answer) => boolean,
) {
  const known = makeCalls()
  await context.expect(known.call, 200)
  const before = await context.send(known.again)
  if (!isStored(before.answer)) return context.skip('no answer tells what is stored')

  const acknowledged: Probe[] = []
  let [failed, isOver] = [0, false]
  async function keepCalling() {
    while (!isOver && !context.isStopped()) {
      const probe = makeCalls()
      const { answer } = await context.send(probe.call)
      if (answer.status === 200) acknowledged.push(probe)
      else failed++
      await sleep(PAUSE_MS)
    }
  }
  const calling = Array.from({ length: CONCURRENCY }, keepCalling)
  while (acknowledged.length < MIN_ACKNOWLEDGED && failed === 0 && !context.isStopped()) await sleep(PAUSE_MS)
  // The command may leave the backend running: it must not hold our output open.
  const child = spawn(command, { shell: true, stdio: 'ignore' })
  const code = await Promise.race([once(child, 'exit').then(([code]) => code), context.stopped])
  isOver = true
  child.kill()
  await Promise.all(calling)
  if (context.isStopped()) return
  if (code !== 0) return context.skip(`the --restart command exited with ${code}`, 'not run')

  const deadline = performance.now() + MAX_START_MS
  while (performance.now() < deadline && !context.isStopped()) {
    const { answer } = await context.send(known.again)
    if (ANSWERS.includes(answer.status)) break
    await sleep(100)
  }
  const lost: Evaluation[] = []
  for (const { again } of acknowledged) {
    const evaluation = await context.evaluate(again, ANSWERS)
    if (!isStored(evaluation.answer)) lost.push(evaluation)
    if (context.isLost() || context.isStopped()) return
  }
  const difference = {
    expected: `all ${acknowledged.length} acknowledged are still there`,
    actual: `${lost.length} are lost`,
  }
  for (const first of lost.slice(0, 1)) context.record({ ...first, differences: [difference] })
  context.note(`${acknowledged.length} acknowledged, ${failed} calls failed meanwhile`)
  if (failed === 0) context.note('no call failed: does the command kill the backend?')
}
