import type { Plugin } from 'vite'
import { preferredAnswer, type Scenarios } from './scenarios.ts'

type Options = {
  /** The origin of the mock. */
  readonly target: string
  readonly scenarios: Scenarios
  /** How long the scenario `slow` holds a call back, in milliseconds. */
  readonly slowness?: number
}

/** Sends the page's calls to the mock, in the scenario that the page's address names: `/?mock=already-subscribed`. */
export function mockProxy({ target, scenarios, slowness = 3000 }: Options): Plugin {
  return {
    name: 'mock-proxy',
    apply: 'serve',
    config: () => ({ server: { proxy: { '/api/': target } } }),
    configureServer({ middlewares, config }) {
      middlewares.use((request, response, next) => {
        const { method = '', url = '', headers } = request
        const name = scenarioOf(headers.referer)
        if (!url.startsWith('/api/') || !name) return next()

        const scenario = scenarios.get(name)
        if (!scenario) {
          const detail = `There is no scenario ${JSON.stringify(name)}. There are: ${[...scenarios.keys()].join(', ')}.`
          config.logger.warn(detail)
          response.writeHead(400, { 'Content-Type': 'application/problem+json' })
          response.end(JSON.stringify({ type: 'about:blank', title: 'Bad Request', status: 400, detail }))
          return
        }
        if (scenario.kind === 'offline') return request.socket.destroy()
        if (scenario.kind === 'slow') return setTimeout(next, slowness)

        const prefer = preferredAnswer(scenario, method, url)
        if (prefer) headers.prefer = prefer
        next()
      })
    },
  }
}

/** The page's address comes with each of its calls: a browser sends it in full to the page's own origin. */
const scenarioOf = (referer = '') => URL.parse(referer)?.searchParams.get('mock')
