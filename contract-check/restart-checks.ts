import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from './client.ts'
import { type Answer, jsonOf, type Operation } from './contract.ts'
import { address, bodyOf, put, request } from './requests.ts'
import type { Check, Judged, Trial } from './trial.ts'

export const DURABLE = 'durable'

const AT_ONCE = 4
const LEAST_ACKNOWLEDGED = 50
const PAUSE_MS = 5
const JUDGED = [200, 422]
/** That a backend may take until it answers again. */
const LONGEST_START_MS = 60_000

/** A call that was never sent, and one that tells whether it was stored. */
type Memory = { readonly call: Call; readonly again: Call }

const MEMORIES: Record<string, { draw(operation: Operation): Memory; isKept(answer: Answer): boolean }> = {
  subscribe: {
    draw({ path }) {
      const call = request('POST', path, { email: address() })
      return { call, again: call }
    },
    isKept: ({ status, body }) => status === 200 && Object(jsonOf(body)).email_exists === true,
  },
  contactUs: {
    draw(operation) {
      const body = bodyOf(operation)
      const send = (body: object, key: string) => request('POST', operation.path, body, { 'idempotency-key': key })
      const key = crypto.randomUUID()
      return { call: send(body, key), again: send(put(body, '/msg', 'Another'), key) }
    },
    isKept: ({ status }) => status === 422,
  },
}

/** Kills and starts the backend by a command of its operator's, amid calls, and asks for all that was acknowledged. */
export function restartChecks(operations: readonly Operation[], command: string): Check[] {
  return operations.flatMap((operation) => {
    const memory = MEMORIES[operation.name]
    if (!memory) return []
    const title = 'what was acknowledged before a kill is there after it'
    const draw = () => memory.draw(operation)
    return [{ operation, outcome: DURABLE, title, run: (trial) => outlives(trial, command, draw, memory.isKept) }]
  })
}

async function outlives(trial: Trial, command: string, draw: () => Memory, isKept: (answer: Answer) => boolean) {
  const known = draw()
  await trial.expect(known.call, 200)
  const before = await trial.send(known.again)
  if (!isKept(before.answer)) return trial.skip('no answer tells what is stored')

  const acknowledged: Memory[] = []
  let [failed, isOver] = [0, false]
  async function keepCalling() {
    while (!isOver && !trial.isStopped()) {
      const memory = draw()
      const { answer } = await trial.send(memory.call)
      if (answer.status === 200) acknowledged.push(memory)
      else failed++
      await sleep(PAUSE_MS)
    }
  }
  const calling = Array.from({ length: AT_ONCE }, keepCalling)
  while (acknowledged.length < LEAST_ACKNOWLEDGED && failed === 0 && !trial.isStopped()) await sleep(PAUSE_MS)
  // What the command starts may go on, and must not hold our output open.
  const child = spawn(command, { shell: true, stdio: 'ignore' })
  const code = await Promise.race([once(child, 'exit').then(([code]) => code), trial.stopped])
  isOver = true
  child.kill()
  await Promise.all(calling)
  if (trial.isStopped()) return
  if (code !== 0) return trial.skip(`the command of --restart ended with ${code}`, 'not tried')

  const deadline = performance.now() + LONGEST_START_MS
  while (performance.now() < deadline && !trial.isStopped()) {
    const { answer } = await trial.send(known.again)
    if (JUDGED.includes(answer.status)) break
    await sleep(100)
  }
  const lost: Judged[] = []
  for (const { again } of acknowledged) {
    const judged = await trial.judge(again, JUDGED)
    if (!isKept(judged.answer)) lost.push(judged)
    if (trial.isLost() || trial.isStopped()) return
  }
  const difference = {
    contract: `all ${acknowledged.length} that were acknowledged are there`,
    came: `${lost.length} are lost`,
  }
  for (const judged of lost.slice(0, 1)) trial.keep({ ...judged, differences: [difference] })
  trial.note(`${acknowledged.length} acknowledged, ${failed} calls failed meanwhile`)
  if (failed === 0) trial.note('no call failed: does the command kill it?')
}
