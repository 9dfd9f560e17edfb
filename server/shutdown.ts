import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Outbox } from './messages/outbox.ts'
import type { Store } from './storage/store.ts'

/** How long requests in flight have after a signal: longer than a call waits for its commit. Then they are cut off. */
const GRACE_MS = 5500

/** How long after a signal a database that hangs is abandoned: nothing that waits for it was acknowledged. */
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

/** Ends the process gracefully at the first SIGTERM or SIGINT: with 0 if everything in flight ended, else with 1. */
export function stopOnSignals({ app, store, outbox, log, flush, process }: Running): void {
  let stoppingSince: number | null = null
  /** Requests that have arrived and are not fully answered, and how many of them were cut off. */
  let [inFlight, requests] = [0, 0]
  app.server.on('request', (_request, response) => {
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
    })
  })

  const abandoned = () => ({ requests, unanswered: store.pending(), messages: outbox.inFlight() })

  async function stop() {
    setTimeout(() => {
      requests = inFlight
      app.server.closeAllConnections()
    }, GRACE_MS).unref()
    setTimeout(() => end(1, 'stopped at the time limit because the database hangs; abandoned'), LIMIT_MS).unref()
    await Promise.all([app.close(), outbox.stop()])
    await store.close()
    if (Object.values(abandoned()).every((count) => count === 0)) end(0, 'stopped')
    else end(1, 'stopped; abandoned what did not end in time')
  }

  function end(code: 0 | 1, message: string) {
    if (code === 0) log.info(message)
    else log.error(abandoned(), message)
    void flush().then(() => process.exit(code))
  }

  function onSignal(signal: NodeJS.Signals) {
    if (stoppingSince === null) {
      stoppingSince = performance.now()
      log.info({ signal, requests: inFlight, messages: outbox.inFlight() }, 'stopping')
      void stop()
      // npm repeats the Ctrl-C that the terminal has sent already: only a later signal is a second one.
    } else if (performance.now() - stoppingSince > 1000) {
      requests = inFlight
      end(1, 'ended by a second signal; abandoned')
    }
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
