import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../client.ts'
import type { Context, Expected } from '../context.ts'

export const DURABLE = {
  rule: 'the data survives a crash of the process and of the machine',
  title: 'what was acknowledged is there after a restart',
  outcome: 'durable',
}

const COUNT = 50
/** How long a backend may take until it answers again. */
const MAX_START_MS = 60_000

/** Has calls acknowledged, kills and restarts the backend by the operator's command, and asks for each of them `again`. */
export async function surviveRestart(
  { each, exchange, stop }: Context,
  command: string,
  newCall: () => { readonly call: Call; readonly again: Call },
  stored: Expected,
) {
  const probes = Array.from({ length: COUNT }, newCall)
  const last = await each(200, ...probes.map(({ call }) => call))
  if (last.status === 0) return
  // The command may leave the backend running: it must not hold our output open.
  const [code] = await once(spawn(command, { shell: true, stdio: 'ignore' }), 'exit')
  if (code !== 0) return stop(`the --restart command exited with ${code}`)
  const ping = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) }
  for (const end = Date.now() + MAX_START_MS; Date.now() < end; await sleep(100))
    if ((await exchange(ping)).answer.status > 0) break
  await each(stored, ...probes.map(({ again }) => again))
}
