import type { FastifyBaseLogger } from 'fastify'
import { STOP_MS } from './timeouts.ts'

/**
 * Ends the process at the first SIGTERM or SIGINT: with 0 when `stop` has ended, with 1 if something hangs for STOP_MS.
 * npm repeats a Ctrl-C, so further signals do nothing.
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
      log.error('stopped; abandoned calls that were not acknowledged, or mails that will be sent again')
      process.exit(1)
    }, STOP_MS)
    await stop()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
