import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Mailer } from './mail/mailer.ts'
import type { Store } from './storage/store.ts'
import { STOP_MS } from './timeouts.ts'

type Running = {
  readonly app: Pick<FastifyInstance, 'close'>
  readonly store: Pick<Store, 'pending' | 'close'>
  /** Null if no mail is configured. */
  readonly mailer: Pick<Mailer, 'inFlight' | 'stop'> | null
  readonly log: FastifyBaseLogger
  readonly process: Pick<NodeJS.Process, 'on' | 'exit'>
}

/**
 * Ends the process at the first SIGTERM or SIGINT: with 0 when all calls and mails in flight have ended, with 1 if
 * something hangs for STOP_MS. npm repeats a Ctrl-C, so further signals do nothing.
 */
export function stopOnSignals({ app, store, mailer, log, process }: Running): void {
  let isStopping = false
  const unfinished = () => ({ calls: store.pending(), mails: mailer?.inFlight() ?? 0 })

  async function stop(signal: NodeJS.Signals) {
    if (isStopping) return
    isStopping = true
    log.info({ signal, ...unfinished() }, 'stopping')
    setTimeout(() => {
      log.error(unfinished(), 'stopped; abandoned unfinished calls and mails')
      process.exit(1)
    }, STOP_MS)
    await Promise.all([app.close(), mailer?.stop()])
    await store.close()
    log.info('stopped')
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
