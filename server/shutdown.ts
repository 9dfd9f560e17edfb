import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Outbox } from './messages/outbox.ts'
import type { Store } from './storage/store.ts'

/** How long requests in flight may take after a signal. Then their connections are closed. */
const GRACE_MS = 5500

/** How long after a signal the process ends even if the database hangs: no call that waits for it was acknowledged. */
const LIMIT_MS = 8500

type Running = {
  readonly app: FastifyInstance
  readonly store: Pick<Store, 'pending' | 'close'>
  readonly outbox: Pick<Outbox, 'inFlight' | 'stop'>
  readonly log: FastifyBaseLogger
  /** Waits until the log is written, but only for a bounded time. */
  readonly flush: () => Promise<void>
  readonly process: Pick<NodeJS.Process, 'on' | 'exit'>
}

/** Ends the process at the first SIGTERM or SIGINT: with 0 if all calls and messages in flight ended, else with 1. */
export function stopOnSignals({ app, store, outbox, log, flush, process }: Running): void {
  let stoppingSince: number | null = null
  let isAnswered = false
  let wasCutOff = false

  function finish() {
    const abandoned = { calls: store.pending(), messages: outbox.inFlight() }
    const isClean = !wasCutOff && abandoned.calls + abandoned.messages === 0
    if (isClean) log.info('stopped')
    else log.error(abandoned, 'stopped; abandoned unfinished calls and messages')
    void flush().then(() => process.exit(isClean ? 0 : 1))
  }

  async function stop() {
    setTimeout(() => {
      wasCutOff = !isAnswered
      app.server.closeAllConnections()
    }, GRACE_MS).unref()
    setTimeout(finish, LIMIT_MS).unref()
    const answered = app.close().then(() => {
      isAnswered = true
    })
    await Promise.all([answered, outbox.stop()])
    await store.close()
    finish()
  }

  function onSignal(signal: NodeJS.Signals) {
    if (stoppingSince === null) {
      stoppingSince = performance.now()
      log.info({ signal, calls: store.pending(), messages: outbox.inFlight() }, 'stopping')
      void stop()
      // npm repeats the Ctrl-C that the terminal has sent already: only a later signal counts as a second one.
    } else if (performance.now() - stoppingSince > 1000) {
      wasCutOff = true
      finish()
    }
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
