import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { createServer } from '@stoplight/prism-http-server'
import type { Plugin } from 'vite'

type Operations = Parameters<typeof createServer>[0]
type Logger = Parameters<typeof createServer>[1]['components']['logger']

const ROOT = join(import.meta.dirname, '../..')
const SLOW_MS = 3000

/**
 * In development, Prism answers the page's calls as the contract says. `?mock=NAME` in the page's address chooses an
 * example or a status of the contract, or `slow` or `offline`; a panel on the page does so too.
 */
export function mock(contract = join(ROOT, 'openapi.yaml'), types = join(ROOT, 'src/contract.d.ts')): Plugin {
  /** For each call, the values of Prism's header Prefer by the names of the answers. */
  let choices: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map()
  let prism: ReturnType<typeof createServer> | undefined
  let origin = ''

  async function start(): Promise<void> {
    // Imported only here, because the build has no use for it. The root of prism-cli is its command.
    const { getHttpOperationsFromSpec } = await import('@stoplight/prism-cli/dist/operations.js')
    const { createServer } = await import('@stoplight/prism-http-server')
    const operations = await getHttpOperationsFromSpec(contract)
    await prism?.close()
    prism = createServer(operations, {
      components: { logger: silentLogger() },
      config: {
        isProxy: false,
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
        upstreamProxy: undefined,
        mock: { dynamic: false },
      },
      cors: false,
    })
    origin = await prism.listen(Number(origin && new URL(origin).port), '127.0.0.1')
    choices = new Map(operations.map((each) => [`${each.method.toUpperCase()} ${each.path}`, choicesOf(each)]))
  }

  /** Reads a changed contract. A contract that the lint or Prism refuses leaves the mock as it is. */
  async function update(): Promise<void> {
    const commands = `redocly lint ${contract} && openapi-typescript ${contract} --output ${types}`
    const [code] = await once(spawn(commands, { shell: true, stdio: 'inherit', cwd: ROOT }), 'exit')
    if (code === 0) await start()
  }

  const names = () => [...new Set([...choices.values()].flatMap((each) => [...each.keys()])), 'slow', 'offline']

  /** Makes Prism, or the network, answer as the address of the calling page says. */
  async function choose({ method, url, headers, socket }: IncomingMessage): Promise<void> {
    // A browser sends the page's full address with each call to its own origin.
    const name = URL.parse(headers.referer ?? '')?.searchParams.get('mock') ?? ''
    if (name === 'slow') await wait(SLOW_MS)
    if (name === 'offline') socket.destroy()
    const choice = choices.get(`${method} ${url}`)?.get(name)
    if (choice) headers.prefer = choice
  }

  return {
    name: 'mock',
    apply: 'serve',
    async config() {
      await start()
      return { server: { proxy: { '^/api(?:[/?]|$)': { target: origin, bypass: choose } } } }
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
      // An update may be closing it at the same time.
      httpServer?.once('close', () => prism?.close().catch(() => {}))
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/tools/dev/panel.ts' }, injectTo: 'head-prepend' },
    ],
  }
}

/** The values of Prefer by which Prism gives each named example, and each status. */
const choicesOf = ({ responses }: Operations[number]): ReadonlyMap<string, string> =>
  new Map(
    responses.flatMap(({ code, contents = [] }) => [
      ...contents.flatMap(({ examples = [] }) =>
        examples.map(({ key }) => [key, `code=${code}, example=${key}`] as const),
      ),
      [code, `code=${code}`] as const,
    ]),
  )

/** A logger that writes nothing: Prism would log each call. */
function silentLogger(): Logger {
  const silent = () => {}
  const logger = { child: () => logger, debug: silent, info: silent, success: silent, warn: silent, error: silent }
  // Prism calls only these methods of pino's interface.
  return logger as unknown as Logger
}
