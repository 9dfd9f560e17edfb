import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import { type Fault, locateFault } from './component-errors.ts'
import { type Diagnostic, format } from './diagnostics.ts'

/** A part that is examined at the start, and again when a file in its folder changes. */
export type Watched = {
  readonly name: string
  readonly folder: string
  concerns(file: string): boolean
  /** Returns the first error, or null. Writes other news by `log` to the terminal. */
  firstError(log: (line: string) => void): Promise<Diagnostic | null>
}

/** How long to wait after a change, because one save causes several events. */
const DEBOUNCE_MS = 150

/** Shows all errors in the terminal. On the page, Vite's overlay shows the errors of the first part that has some. */
export function errorOverlay(parts: readonly Watched[]): Plugin {
  const errors = new Map<Watched, Diagnostic | null>()
  /** Parts that changed after they were examined: their errors may be fixed, and are not shown. */
  const changed = new Set<Watched>()

  function send(client: Pick<WebSocketClient, 'send'>) {
    const part = parts.find((each) => errors.get(each) && !changed.has(each))
    const error = part && errors.get(part)
    if (!error) return client.send('dev:no-errors')
    const { file, line, column, message, frame } = error
    const err = { message, stack: '', plugin: `dev:${part.name}`, id: file, frame, loc: { file, line, column } }
    client.send({ type: 'error', err })
  }

  async function examine(part: Watched, { config, ws }: ViteDevServer) {
    const log = (line: string) => config.logger.info(line, { timestamp: true })
    const oldError = errors.get(part)
    errors.delete(part)
    changed.delete(part)
    const error = await part.firstError(log)
    if (error) config.logger.error(`\n${format(error)}\n`, { timestamp: true })
    else if (oldError) log(`No errors in the ${part.name} any more.`)
    errors.set(part, error)
    // Each page then asks for the errors to show.
    ws.send('dev:checked')
  }

  return {
    name: 'error-overlay',
    apply: 'serve',
    transformIndexHtml: {
      order: 'pre',
      // Vite keeps an error for the next tab, even a fixed one. This message replaces it, and reloads no page.
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
      for (const part of parts) {
        let running = examine(part, server)
        let timer: NodeJS.Timeout | undefined
        // Some editors replace the file, so the folder is watched.
        server.watcher.add(part.folder).on('all', (_event, file) => {
          if (!part.concerns(file)) return
          changed.add(part)
          clearTimeout(timer)
          timer = setTimeout(() => {
            running = running.then(() => examine(part, server))
          }, DEBOUNCE_MS)
        })
      }
    },
  }
}
