import type { FastifyBaseLogger } from 'fastify'
import { STOP_MS } from './timeouts.ts'

/**
 * Ends the process after the first SIGTERM or SIGINT. The exit code is 0 when `stop` has ended, or 1 if `stop` takes
 * longer than STOP_MS. Further signals do nothing, because npm sends the signal of a Ctrl-C twice.
 */
export function stopOnSignals(
  process: Pick<NodeJS.Process, 'on' | 'exit'>,
  log: FastifyBaseLogger,
  stop: () => Promise<unknown>,
): void {
  let isStopping = false

  async function end(signal: NodeJS.Signals) {
    if (isStopping) return
    isStopping = true
    log.info(`stopping after ${signal}`)
    setTimeout(() => {
      log.error('stopped too late: some calls got no answer, or some mails will be sent again')
      process.exit(1)
    }, STOP_MS)
    await stop()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
