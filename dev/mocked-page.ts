import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import type { ContractWatcher } from './contract-watcher.ts'
import { format } from './diagnostics.ts'
import { mockProxy } from './mock-proxy.ts'
import { describe } from './scenarios.ts'
import { type Validation, validate } from './validation.ts'

/** A scenario as the panel lists it. */
export type ScenarioItem = { readonly name: string; readonly about: string }

/** Puts the mock behind the page's calls, and on the page a panel that switches it. Both follow the contract as it changes. */
export function mockedPage(contract: ContractWatcher): Plugin[] {
  // Vite makes a new one when its configuration changes.
  let server: ViteDevServer | undefined
  let last: Validation | null = null

  const items = (): ScenarioItem[] =>
    [...contract.current().scenarios].map(([name, scenario]) => ({ name, about: describe(scenario) }))

  function overlay() {
    const diagnostic = contract.diagnostic()
    if (!diagnostic) return null
    const { file, line, column, message, frame } = diagnostic
    return { message, stack: '', plugin: 'contract', id: file, frame, loc: { file, line, column } }
  }

  function send(to: Pick<WebSocketClient, 'send'>) {
    to.send('panel:scenarios', items())
    if (last) to.send('panel:last', last)
    const err = overlay()
    if (err) to.send({ type: 'error', err })
  }

  const proxy = mockProxy({
    current: () => ({ target: contract.current().mock.origin, scenarios: contract.current().scenarios }),
    onCall(call) {
      last = validate(contract.current().operations, call)
      server?.ws.send('panel:last', last)
    },
  })

  contract.onReload(() => {
    if (!server) return
    const { logger } = server.config
    const diagnostic = contract.diagnostic()
    if (diagnostic)
      logger.error(`\n${format(diagnostic)}\nThe mock still answers by the last valid contract.\n`, { timestamp: true })
    else {
      const { origin } = contract.current().mock
      logger.info(`Contract reloaded: types and mock are up to date. Mock: ${origin}/`, {
        timestamp: true,
      })
    }
    send(server.ws)
  })

  const panel: Plugin = {
    name: 'scenario-panel',
    apply: 'serve',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/dev/panel.ts' }, injectTo: 'head-prepend' },
    ],
    configureServer(created) {
      server = created
      created.ws.on('panel:hello', (_nothing, client) => send(client))
    },
  }
  return [proxy, panel]
}
