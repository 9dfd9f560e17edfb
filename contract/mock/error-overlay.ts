import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import { type Diagnostic, format } from './diagnostics.ts'
import { type Fault, locateFault } from './faults.ts'

/** Something that is examined at the start, and again when a file in its folder changes. */
export type Watched = {
  readonly name: string
  readonly folder: string
  concerns(file: string): boolean
  /** Finds what is wrong at the moment, and tells `log`, for the terminal, what it did besides. */
  firstError(log: (line: string) => void): Promise<Diagnostic | null>
}

/** How long to wait after a change, because one save causes several events. */
const DEBOUNCE_MS = 150

/** Shows all errors in the terminal. On the page, Vite's overlay shows those of the first that has any. */
export function errorOverlay(all: readonly Watched[]): Plugin {
  const errors = new Map<Watched, Diagnostic | null>()
  /** What has changed since it was examined: its errors may be mended, and are not shown. */
  const changed = new Set<Watched>()

  function send(to: Pick<WebSocketClient, 'send'>) {
    const first = all.find((one) => errors.get(one) && !changed.has(one))
    const error = first && errors.get(first)
    if (!error) return to.send('dev:no-errors')
    const { file, line, column, message, frame } = error
    const err = { message, stack: '', plugin: `dev:${first.name}`, id: file, frame, loc: { file, line, column } }
    to.send({ type: 'error', err })
  }

  async function run(one: Watched, { config, ws }: ViteDevServer) {
    const log = (line: string) => config.logger.info(line, { timestamp: true })
    const before = errors.get(one)
    errors.delete(one)
    changed.delete(one)
    const error = await one.firstError(log)
    if (error) config.logger.error(`\n${format(error)}\n`, { timestamp: true })
    else if (before) log(`No errors in the ${one.name} any more.`)
    errors.set(one, error)
    // Each page then asks for the errors to show.
    ws.send('dev:checked')
  }

  return {
    name: 'error-overlay',
    apply: 'serve',
    transformIndexHtml: {
      order: 'pre',
      // Vite keeps an error for the next tab, even a mended one. A reload of no page replaces it, and does nothing.
      handler(_html, { server }) {
        if (server?.ws.clients.size === 0) server.ws.send({ type: 'full-reload', path: '/none.html' })
      },
    },
    configureServer(server) {
      server.ws.on('dev:hello', (_nothing, client) => send(client))
      server.ws.on('dev:fault', async (fault: Fault, client) => {
        const { file, line, column, message, frame } = await locateFault(server, fault)
        server.config.logger.error(`\n${message}\n${file}:${line}:${column}\n${frame}`, { timestamp: true })
        client.send({ type: 'error', err: { message, stack: '', id: file, frame, loc: { file, line, column } } })
      })
      for (const one of all) {
        let running = run(one, server)
        let timer: NodeJS.Timeout | undefined
        // Watching the folder also sees editors that replace the file.
        server.watcher.add(one.folder).on('all', (_event, file) => {
          if (!one.concerns(file)) return
          changed.add(one)
          clearTimeout(timer)
          timer = setTimeout(() => {
            running = running.then(() => run(one, server))
          }, DEBOUNCE_MS)
        })
      }
    },
  }
}
