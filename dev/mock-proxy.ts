import { type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Plugin } from 'vite'
import { preferredAnswer, type Scenarios } from './scenarios.ts'

type Options = {
  /** Read at each call. `target` is the origin of the mock. */
  readonly current: () => { readonly target: string; readonly scenarios: Scenarios }
  /** How long the scenario `slow` delays a call. */
  readonly delayMs?: number
  /** Called after each call. */
  readonly onCall?: (call: MockedCall) => void
}

/** A call of the page, and its answer, if there was one. */
export type MockedCall = {
  readonly method: string
  readonly path: string
  readonly sent: string
  readonly answer: { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string } | null
}

/** Sends the page's calls to the mock, in the scenario that the page's address names: `/?mock=already-subscribed`. */
export function mockProxy({ current, delayMs = 3000, onCall = () => {} }: Options): Plugin {
  return {
    name: 'mock-proxy',
    apply: 'serve',
    configureServer({ middlewares, config }) {
      middlewares.use(async (request, response, next) => {
        const { method = '', url = '', headers } = request
        if (!url.startsWith('/api/')) return next()

        const { target, scenarios } = current()
        const name = scenarioOf(headers.referer)
        const scenario = name ? scenarios.get(name) : null
        if (scenario === undefined) {
          const detail = `There is no scenario ${JSON.stringify(name)}. There are: ${[...scenarios.keys()].join(', ')}.`
          config.logger.warn(detail)
          const sent = String(await buffer(request))
          const headers = { 'content-type': 'application/problem+json' }
          const body = JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail })
          response.writeHead(400, headers).end(body)
          return onCall({ method, path: url, sent, answer: { status: 400, headers, body } })
        }
        const prefer = scenario && preferredAnswer(scenario, method, url)
        if (prefer) headers.prefer = prefer
        if (scenario?.kind === 'slow') await wait(delayMs)
        try {
          const sent = await buffer(request)
          const call = { method, path: url, sent: String(sent) }
          if (scenario?.kind === 'offline') {
            request.socket.destroy()
            return onCall({ ...call, answer: null })
          }
          const { status, headers, body } = await forward(new URL(url, target), request, sent)
          response.writeHead(status, headers).end(body)
          onCall({ ...call, answer: { status, headers, body: String(body) } })
        } catch (error) {
          // A page that has gone away needs no answer.
          if (request.complete) next(error)
        }
      })
    },
  }
}

async function forward(to: URL, { method, headers }: IncomingMessage, sent: Buffer) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    send(to, { method, headers }, resolve).on('error', reject).end(sent)
  })
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) }
}

/** A browser sends the page's full address with each call to its own origin. */
const scenarioOf = (referer = '') => URL.parse(referer)?.searchParams.get('mock')
