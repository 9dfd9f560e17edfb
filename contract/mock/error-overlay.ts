import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import { type Diagnostic, format } from './diagnostics.ts'

/** What is checked at the start, and again when a file in its folder changes. */
export type Check = {
  readonly name: string
  readonly folder: string
  concerns(file: string): boolean
  /** What is wrong at the moment. What it did besides goes to the terminal. */
  firstError(log: (line: string) => void): Promise<Diagnostic | null>
}

/** One save causes several events. */
const DEBOUNCE_MS = 150

/** Shows the errors of each check in the terminal, and on the page, in Vite's overlay, those of the first that has any. */
export function errorOverlay(checks: readonly Check[]): Plugin {
  const errors = new Map<Check, Diagnostic | null>()

  function send(to: Pick<WebSocketClient, 'send'>) {
    for (const check of checks) {
      const error = errors.get(check)
      if (!error) continue
      const { file, line, column, message, frame } = error
      const err = { message, stack: '', plugin: `dev:${check.name}`, id: file, frame, loc: { file, line, column } }
      return to.send({ type: 'error', err })
    }
    to.send('dev:no-errors')
  }

  async function run(check: Check, { config, ws }: ViteDevServer) {
    const log = (line: string) => config.logger.info(line, { timestamp: true })
    const error = await check.firstError(log)
    if (error) config.logger.error(`\n${format(error)}\n`, { timestamp: true })
    else if (errors.get(check)) log(`No errors in the ${check.name} any more.`)
    errors.set(check, error)
    // Each page asks for what it shows.
    ws.send('dev:checked')
  }

  return {
    name: 'error-overlay',
    apply: 'serve',
    configureServer(server) {
      server.ws.on('dev:hello', (_nothing, client) => send(client))
      for (const check of checks) {
        let running = run(check, server)
        let timer: NodeJS.Timeout | undefined
        // Watching the folder also sees editors that replace the file.
        server.watcher.add(check.folder).on('all', (_event, file) => {
          if (!check.concerns(file)) return
          clearTimeout(timer)
          timer = setTimeout(() => {
            running = running.then(() => run(check, server))
          }, DEBOUNCE_MS)
        })
      }
    },
  }
}
