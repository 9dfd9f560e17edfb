import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import { type DiagnosticSource, format } from './diagnostics.ts'

/** Shows each source's errors in the terminal, and on the page those of the first source that has any. */
export function errorOverlay(sources: Readonly<Record<string, DiagnosticSource>>): Plugin {
  // Vite makes a new one when its configuration changes.
  let server: ViteDevServer | undefined
  const failing = new Set<string>()

  function log(name: string, source: DiagnosticSource) {
    if (!server) return
    const { logger } = server.config
    const diagnostic = source.diagnostic()
    if (diagnostic) {
      failing.add(name)
      logger.error(`\n${format(diagnostic)}\n`, { timestamp: true })
    } else if (failing.delete(name)) logger.info(`No errors in the ${name} any more.`, { timestamp: true })
  }

  function send(to: Pick<WebSocketClient, 'send'>) {
    for (const [name, source] of Object.entries(sources)) {
      const diagnostic = source.diagnostic()
      if (!diagnostic) continue
      const { file, line, column, message, frame } = diagnostic
      const err = { message, stack: '', plugin: `dev:${name}`, id: file, frame, loc: { file, line, column } }
      return to.send({ type: 'error', err })
    }
    to.send('dev:no-errors')
  }

  for (const [name, source] of Object.entries(sources)) {
    source.onCheck(() => {
      log(name, source)
      if (server) send(server.ws)
    })
  }

  return {
    name: 'error-overlay',
    apply: 'serve',
    configureServer(created) {
      server = created
      for (const [name, source] of Object.entries(sources)) log(name, source)
      created.ws.on('panel:hello', (_nothing, client) => send(client))
    },
  }
}
