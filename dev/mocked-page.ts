import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import type { ContractWatcher } from './contract-watcher.ts'
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

  function send(to: Pick<WebSocketClient, 'send'>) {
    to.send('panel:scenarios', items())
    if (last) to.send('panel:last', last)
  }

  const proxy = mockProxy({
    current: () => ({ target: contract.current().mock.origin, scenarios: contract.current().scenarios }),
    onCall(call) {
      last = validate(contract.current().operations, call)
      server?.ws.send('panel:last', last)
    },
  })

  contract.onCheck(() => {
    if (!server) return
    const message = contract.diagnostic()
      ? 'The mock still answers by the last valid contract.'
      : `Contract reloaded: types and mock are up to date. Mock: ${contract.current().mock.origin}/`
    server.config.logger.info(message, { timestamp: true })
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
