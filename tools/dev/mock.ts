import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { createServer } from '@stoplight/prism-http-server'
import pino from 'pino'
import type { Plugin, ProxyOptions } from 'vite'

type Operations = Parameters<typeof createServer>[0]
type Logger = Parameters<typeof createServer>[1]['components']['logger']

const ROOT = join(import.meta.dirname, '../..')
const SLOW_MS = 3000

/**
 * In development, Prism answers the page's calls as the contract says. `?mock=NAME` in the page's address chooses an
 * example or a status of the contract, or `slow` or `offline`; a panel on the page does so too.
 */
export function mock(contract = join(ROOT, 'openapi.yaml'), types = join(ROOT, 'src/contract.d.ts')): Plugin {
  /** Prism reads this list at each call. It is empty until the contract could be read. */
  const operations: Operations = []
  let close = async () => {}

  async function read(): Promise<void> {
    // The root of prism-cli is its command. Imported only here, because the build has no use for it.
    const { getHttpOperationsFromSpec } = await import('@stoplight/prism-cli/dist/operations.js')
    operations.splice(0, operations.length, ...(await getHttpOperationsFromSpec(contract)))
  }

  /** Reads a changed contract. A contract that the lint or Prism refuses leaves the mock as it is. */
  async function update(): Promise<void> {
    const commands = `redocly lint ${contract} && openapi-typescript ${contract} --output ${types}`
    const [code] = await once(spawn(commands, { shell: true, stdio: 'inherit', cwd: ROOT }), 'exit')
    if (code === 0) await read()
  }

  const names = () => [...choicesOf(operations).keys(), 'slow', 'offline']

  /** Makes Prism, or the network, answer as the address of the calling page says. */
  async function choose({ method = '', url, headers, socket }: IncomingMessage): Promise<void> {
    // A browser sends the page's full address with each call to its own origin.
    const name = URL.parse(headers.referer ?? '')?.searchParams.get('mock') ?? ''
    if (name === 'slow') await wait(SLOW_MS)
    if (name === 'offline') socket.destroy()
    const called = operations.filter((each) => each.method === method.toLowerCase() && each.path === url)
    const choice = choicesOf(called).get(name)
    if (choice) headers.prefer = choice
  }

  /** Prism's own refusals, such as that of broken JSON, lack the contract's form: its example takes their place. */
  const giveContractsForm: ProxyOptions['configure'] = (proxy) =>
    proxy.on('proxyRes', ({ statusCode = 0, headers }, _request, response) => {
      const example = headers['cache-control'] ? undefined : exampleOf(operations, statusCode)
      if (example) response.writeHead(statusCode, example.headers).end(example.body)
    })

  return {
    name: 'mock',
    apply: 'serve',
    async config() {
      await read().catch((error) => console.error(`${error}`))
      const { createServer } = await import('@stoplight/prism-http-server')
      // Prism would log each call. It has pino with another level.
      const silent = pino({ level: 'silent', customLevels: { success: 30 } }) as unknown as Logger
      const validate = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: false }
      const prism = createServer(operations, {
        components: { logger: silent },
        config: { ...validate, isProxy: false, upstreamProxy: undefined, mock: { dynamic: false } },
        cors: false,
      })
      close = prism.close
      const target = await prism.listen(0, '127.0.0.1')
      return { server: { proxy: { '^/api(?:[/?]|$)': { target, bypass: choose, configure: giveContractsForm } } } }
    },
    configureServer({ config, httpServer, watcher, ws }) {
      let updated = Promise.resolve()
      // Some editors replace the file instead of changing it.
      watcher.add(contract).on('all', (_event, file) => {
        if (file !== contract) return
        updated = updated
          .then(update)
          .then(() => ws.send('mock:names', names()))
          .catch((error) => config.logger.error(`${error}`))
      })
      ws.on('mock:hello', (_nothing, client) => client.send('mock:names', names()))
      httpServer?.once('close', close)
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/tools/dev/panel.ts' }, injectTo: 'head-prepend' },
    ],
  }
}

/** The values of Prism's header Prefer by which it gives each named example, and each status. */
const choicesOf = (operations: Operations): ReadonlyMap<string, string> =>
  new Map(
    operations
      .flatMap(({ responses }) => responses)
      .flatMap(({ code, contents = [] }) => [
        ...contents.flatMap(({ examples = [] }) =>
          examples.map(({ key }) => [key, `code=${code}, example=${key}`] as const),
        ),
        [code, `code=${code}`] as const,
      ]),
  )

/** The contract's first example of an answer with this status. */
function exampleOf(operations: Operations, status: number) {
  const responses = operations.flatMap(({ responses }) => responses)
  const { headers = [], contents: [content] = [] } = responses.find(({ code }) => code === `${status}`) ?? {}
  if (!content) return undefined
  const values = headers.flatMap(({ name, examples = [] }) => examples.map((each) => [name, Object(each).value]))
  return {
    headers: { 'Content-Type': content.mediaType, ...Object.fromEntries(values) },
    body: JSON.stringify(Object(content.examples?.[0]).value),
  }
}
