import type { Plugin, ViteDevServer, WebSocketClient } from 'vite'
import { inWords } from './contract-fault.ts'
import type { LiveContract } from './live-contract.ts'
import { mockProxy } from './mock-proxy.ts'
import { describe } from './scenarios.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** A scenario as the panel lists it. */
export type Listed = { readonly name: string; readonly about: string }

/** The mock behind the page's calls, and a panel on the page that switches it; both follow the contract as it changes. */
export function mockedPage(contract: LiveContract): Plugin[] {
  // Another one after each change of Vite's configuration.
  let server: ViteDevServer | undefined
  let last: Verdict | null = null

  const listed = (): Listed[] =>
    [...contract.current().scenarios].map(([name, scenario]) => ({ name, about: describe(scenario) }))

  function overlay() {
    const fault = contract.fault()
    if (!fault) return null
    const { file, line, column, message, frame } = fault
    return { message, stack: '', plugin: 'contract', id: file, frame, loc: { file, line, column } }
  }

  function tell(to: Pick<WebSocketClient, 'send'>) {
    to.send('panel:scenarios', listed())
    if (last) to.send('panel:last', last)
    const err = overlay()
    if (err) to.send({ type: 'error', err })
  }

  const proxy = mockProxy({
    current: () => ({ target: contract.current().mock.origin, scenarios: contract.current().scenarios }),
    tell(exchange) {
      last = verdictOf(contract.current().operations, exchange)
      server?.ws.send('panel:last', last)
    },
  })

  contract.onReading(() => {
    if (!server) return
    const { logger } = server.config
    const fault = contract.fault()
    if (fault) logger.error(`\n${inWords(fault)}\nThe mock goes on with the contract as it was.\n`, { timestamp: true })
    else {
      const { origin } = contract.current().mock
      logger.info(`The contract was read again. Its types are up to date, and so is the mock: ${origin}/`, {
        timestamp: true,
      })
    }
    tell(server.ws)
  })

  const panel: Plugin = {
    name: 'scenario-panel',
    apply: 'serve',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/dev/panel.ts' }, injectTo: 'head-prepend' },
    ],
    configureServer(created) {
      server = created
      created.ws.on('panel:hello', (_nothing, client) => tell(client))
    },
  }
  return [proxy, panel]
}
