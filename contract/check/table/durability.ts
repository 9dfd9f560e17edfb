import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Operation, parseJson } from '../../operations.ts'
import { type Check, type CheckContext, rowsOf } from '../check.ts'
import type { Call, Exchange } from '../client.ts'
import { exampleOf, newAddress, request, withField } from '../requests.ts'

export const DURABLE = 'durable'

const CONCURRENCY = 4
const MIN_ACKNOWLEDGED = 50
const PAUSE_MS = 5
/** How long a backend may take until it answers again. */
const MAX_START_MS = 60_000

/** A new call, and one whose answer tells whether the first was stored. */
type Probe = { readonly call: Call; readonly again: Call }

/** `isStored` is undefined where the answer does not tell. */
type Prober = { probeOf(operation: Operation): Probe; isStored(answer: Answer): boolean | undefined }

const PROBERS: Record<string, Prober> = {
  subscribe: {
    probeOf(operation) {
      const call = request(operation, { body: { email: newAddress() } })
      return { call, again: call }
    },
    isStored: ({ status, body }) => (status === 200 ? Object(parseJson(body)).email_exists === true : undefined),
  },
  contactUs: {
    probeOf(operation) {
      const enquiry = exampleOf(operation)
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const other = withField(enquiry, '/msg', 'Another')
      return {
        call: request(operation, { body: enquiry, headers }),
        again: request(operation, { body: other, headers }),
      }
    },
    isStored: ({ status }) => ({ 200: false, 422: true })[status],
  },
}

/** Kills and restarts the backend by the operator's command while calls are in flight, then looks for all it acknowledged. */
export function durabilityChecks(operation: Operation, command: string): Check[] {
  const prober = PROBERS[operation.name]
  if (!prober || !command) return []
  return rowsOf(operation, DURABLE)('the data survives a crash of the process and of the machine', {
    'what was acknowledged before a kill is still there': (context) =>
      survivesRestart(context, command, () => prober.probeOf(operation), prober.isStored),
  })
}

async function survivesRestart(
  context: CheckContext,
  command: string,
  newProbe: () => Probe,
  isStored: Prober['isStored'],
) {
  const known = newProbe()
  await context.each(200, known.call)
  const before = await context.exchange(known.again)
  if (!isStored(before.answer)) return context.skip('no answer tells what is stored')

  const acknowledged = [known]
  let [failed, isOver] = [0, false]
  async function keepCalling() {
    while (!isOver && !context.isStopped()) {
      const probe = newProbe()
      const { answer } = await context.exchange(probe.call)
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
    const { answer } = await context.exchange(known.again)
    if ([200, 422].includes(answer.status)) break
    await sleep(100)
  }
  const lost: Exchange[] = []
  for (const { again } of acknowledged) {
    const exchange = await context.exchange(again)
    const stored = isStored(exchange.answer)
    if (stored === undefined) return context.evaluate(exchange, [200, 422])
    if (!stored) lost.push(exchange)
  }
  const [first] = lost
  const expected = `all ${acknowledged.length} acknowledged are still there`
  if (first) context.record(first, [{ expected, actual: `${lost.length} are lost` }])
  context.note(`${acknowledged.length} acknowledged, ${failed} calls failed meanwhile`)
  if (failed === 0) context.note('no call failed: does the command kill the backend?')
}
