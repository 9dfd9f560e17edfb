import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Plugin, ViteDevServer } from 'vite'
import { describeCall, type MockedCall } from './call.ts'
import type { Contract } from './contract.ts'
import { forward } from './mock.ts'
import { describe } from './scenarios.ts'

const SLOW_MS = 3000

/** Lets the mock answer the page's calls, and adds a panel to the page that chooses the scenario. */
export function mockedPage(contract: Pick<Contract, 'current'>): Plugin {
  let lastCall = 'No call yet.'

  /** Answers in the scenario that the page's address names: `/?mock=already-subscribed`. */
  async function answer(request: IncomingMessage, sent: Buffer): Promise<MockedCall['answer']> {
    const { method = '', url = '', headers } = request
    const { scenarios, mock } = contract.current()
    // A browser sends the page's full address with each call to its own origin.
    const name = URL.parse(headers.referer ?? '')?.searchParams.get('mock')
    if (name && !scenarios.has(name)) {
      const detail = `There is no scenario ${JSON.stringify(name)}. There are: ${[...scenarios.keys()].join(', ')}.`
      const body = JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail })
      return { status: 400, headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' }, body }
    }
    if (name === 'slow') await wait(SLOW_MS)
    if (name === 'offline') return null
    const choice = scenarios.get(name ?? '')?.find(({ call }) => call === `${method} ${url}`)
    if (choice) headers.prefer = choice.prefer
    return forward(new URL(url, mock.origin), request, sent)
  }

  return {
    name: 'mocked-page',
    apply: 'serve',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/contract/mock/panel.ts' }, injectTo: 'head-prepend' },
    ],
    configureServer({ middlewares, ws }: ViteDevServer) {
      ws.on('dev:hello', (_nothing, client) => {
        client.send('mock:scenarios', describe(contract.current().scenarios))
        client.send('mock:last-call', lastCall)
      })
      middlewares.use(async (request, response, next) => {
        const { method = '', url = '' } = request
        if (!/^\/api(?:[/?]|$)/.test(url)) return next()
        try {
          const sent = await buffer(request)
          const answered = await answer(request, sent)
          if (answered) response.writeHead(answered.status, answered.headers).end(answered.body)
          else request.socket.destroy()
          const call = { method, path: url, sent: `${sent}`, answer: answered }
          lastCall = describeCall(contract.current().operations, call)
          ws.send('mock:last-call', lastCall)
        } catch (error) {
          // A page that has gone away needs no answer.
          if (request.complete) next(error)
        }
      })
    },
  }
}
