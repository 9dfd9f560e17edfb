import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOST, PING, SETTINGS, send } from './call.ts'

/** How long the command may take, and then the backend until it answers. */
const MAX_MS = 60_000
/** Whether the backend answers, and not a gateway in its place. */
const isUp = () =>
  send(PING)
    .then(({ status }) => status < 502)
    .catch(() => false)

/** Kills the backend and starts it again by the operator's command. Throws if the command does not do so. */
export async function restart(): Promise<void> {
  // The end of a connection shows that the backend was killed, however soon it listens again.
  const connection = connect(Number(HOST.port) || (HOST.protocol === 'https:' ? 443 : 80), HOST.hostname)
  let wasDown = false
  connection
    .on('error', () => {})
    .on('close', () => {
      wasDown = true
    })
  // The backend may outlive the command, and must not hold the output of the check open.
  const child = spawn(SETTINGS.restart, { shell: true, stdio: 'ignore' })
  const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(MAX_MS) }).catch(() => [null])
  if (code === null) throw new Error('the --restart command did not end: it has to start the backend in the background')
  if (code !== 0) throw new Error(`the --restart command ended with ${code}`)
  for (const latest = Date.now() + MAX_MS; !(await isUp()); await sleep(50)) {
    wasDown = true
    if (Date.now() > latest) throw new Error('the backend does not answer any more after the --restart command')
  }
  connection.destroy()
  if (!wasDown) throw new Error('the backend answered all the time: the --restart command has to kill it')
}
