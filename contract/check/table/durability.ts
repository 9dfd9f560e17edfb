import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, PING } from '../client.ts'
import type { Context, Expected } from '../context.ts'

export const DURABLE = {
  rule: 'the data survives a crash of the process and of the machine',
  title: 'what was acknowledged is there after a restart',
  outcome: 'durable',
}

const COUNT = 50
/** How long the command may take, and the backend until it answers again. */
const MAX_MS = 60_000

/** Has calls acknowledged, kills and restarts the backend by the operator's command, and sends each call's `again`. */
export async function surviveRestart(
  { each, exchange, stop, stopped }: Context,
  command: string,
  newCall: () => { readonly call: Call; readonly again: Call },
  stored: Expected,
) {
  const probes = Array.from({ length: COUNT }, newCall)
  const last = await each(200, ...probes.map(({ call }) => call))
  if (last.status === 0) return
  const isUp = async () => (await exchange(PING)).answer.status > 0
  // The command may leave the backend running: it must not hold our output open.
  const child = spawn(command, { shell: true, stdio: 'ignore' })
  let [wasDown, isOver] = [false, false]
  const exited = once(child, 'exit', { signal: AbortSignal.any([stopped, AbortSignal.timeout(MAX_MS)]) })
    .then(
      ([code]) => `exited with ${code}`,
      () => 'did not end: it has to start the backend in the background',
    )
    .finally(() => {
      isOver = true
    })
  while (!isOver) {
    wasDown ||= !(await isUp())
    await sleep(5)
  }
  const how = await exited
  child.kill()
  if (how !== 'exited with 0') return stop(`the --restart command ${how}`)
  for (const end = Date.now() + MAX_MS; Date.now() < end && !stopped.aborted; await sleep(50)) {
    if (await isUp()) {
      if (!wasDown) return stop('the backend answered all the time: the --restart command has to kill it')
      return each(stored, ...probes.map(({ again }) => again))
    }
    wasDown = true
  }
  stop('the backend did not answer any more after the --restart command')
}
