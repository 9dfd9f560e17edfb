import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Plugin, ProxyOptions, ViteDevServer } from 'vite'
import { parse } from 'yaml'
import { type Operation, operationsOf } from '../../contract/operations.ts'
import { prismServer } from './prism.ts'

const ROOT = join(import.meta.dirname, '../..')
const SLOW_MS = 3000

/**
 * In development, Prism answers the page's calls as the contract says. `?mock=NAME` in the page's address chooses an
 * example or a status of the contract, or `slow` or `offline`; a panel on the page does so too.
 */
export function mock(contract = join(ROOT, 'openapi.yaml'), types = join(ROOT, 'contract/contract.d.ts')): Plugin {
  const prism = prismServer()
  /** Empty until the contract could be read. */
  let operations: readonly Operation[] = []
  let panel: ViteDevServer['ws'] | undefined

  async function read(): Promise<void> {
    await prism.mock(contract)
    operations = operationsOf(parse(readFileSync(contract, 'utf8')))
  }

  /** Reads a changed contract. A contract that the lint or Prism refuses leaves the mock as it is. */
  async function update(): Promise<void> {
    const isRight = await runPackage('@redocly/cli/bin/cli.js', 'lint', contract)
    if (isRight && (await runPackage('openapi-typescript/bin/cli.js', contract, '--output', types))) await read()
    panel?.send('mock:names', names())
  }

  const names = () => [...preferences(operations).keys(), 'slow', 'offline']

  /** Makes Prism, or the network, answer as the address of the calling page says. */
  async function choose({ url, headers, socket }: IncomingMessage): Promise<void> {
    // A browser sends the page's full address with each call to its own origin.
    const name = URL.parse(headers.referer ?? '')?.searchParams.get('mock') ?? ''
    if (name === 'slow') await wait(SLOW_MS)
    if (name === 'offline') socket.destroy()
    const preference = preferences(operations.filter(({ path }) => path === url)).get(name)
    if (preference) headers.prefer = preference
    // Prism gives another answer than the preferred one if that has a type which is not accepted.
    headers.accept = '*/*'
  }

  /** Prism's own refusals, such as that of broken JSON, lack the contract's form: its example takes their place. */
  const giveContractsForm: ProxyOptions['configure'] = (proxy) =>
    proxy.on('proxyRes', ({ statusCode: status = 0, headers }, _request, response) => {
      const example = headers['cache-control'] ? undefined : exampleOf(operations, status)
      if (example) response.writeHead(status, example.headers).end(example.body)
    })

  return {
    name: 'mock',
    apply: 'serve',
    async config() {
      const target = await prism.listen()
      await read().catch((error) => console.error(`${error}`))
      return { server: { proxy: { '^/api(?:[/?]|$)': { target, bypass: choose, configure: giveContractsForm } } } }
    },
    configureServer({ config, httpServer, watcher, ws }) {
      panel = ws
      let updated = Promise.resolve()
      // Some editors replace the file instead of changing it.
      watcher.add(contract).on('all', (_event, file) => {
        if (file === contract) updated = updated.then(update).catch((error) => config.logger.error(`${error}`))
      })
      ws.on('mock:hello', (_nothing, client) => client.send('mock:names', names()))
      httpServer?.once('close', prism.close)
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/tools/dev/page-script.ts' }, injectTo: 'head-prepend' },
    ],
  }
}

/** Runs a program of a package without a shell, because folders may have blanks in their names. */
async function runPackage(program: string, ...args: readonly string[]): Promise<boolean> {
  const command = [join(ROOT, 'node_modules', program), ...args]
  const [code] = await once(spawn(process.execPath, command, { stdio: 'inherit', cwd: ROOT }), 'exit')
  return code === 0
}

/** The values of Prism's header Prefer by which it gives each named example, and each status. */
const preferences = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([code, { content }]) => {
        const examples = Object.values(content).flatMap(({ examples }) => Object.keys(examples))
        return [...examples.map((name) => [name, `code=${code}, example=${name}`] as const), [code, `code=${code}`]]
      }),
    ),
  )

/** The contract's first example of an answer with this status. */
function exampleOf(operations: readonly Operation[], status: number) {
  const { headers, content } = operations.find(({ responses }) => responses[status])?.responses[status] ?? {}
  const [[type, { examples }] = ['', { examples: {} }]] = Object.entries(content ?? {})
  if (!type) return undefined
  const values = Object.entries(headers ?? {}).map(([name, { example }]) => [name, example])
  const body = JSON.stringify(Object(Object.values(examples)[0]).value)
  return { headers: { 'Content-Type': type, ...Object.fromEntries(values) }, body }
}
