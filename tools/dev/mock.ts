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
 * A Vite plugin for development: Prism answers the calls of the page with the examples of the contract. `?mock=NAME` in
 * the page's address chooses an example, a status, `slow` or `offline`. A panel on the page changes that address.
 */
export function mock(contract = join(ROOT, 'openapi.yaml'), types = join(ROOT, 'contract/contract.d.ts')): Plugin {
  const prism = prismServer()
  /** Empty until the contract is read for the first time. */
  let operations: readonly Operation[] = []
  let channel: ViteDevServer['ws'] | undefined

  async function read(): Promise<void> {
    await prism.mock(contract)
    operations = operationsOf(parse(readFileSync(contract, 'utf8')))
  }

  /** Reads a changed contract. If the lint or Prism refuses the contract, the mock answers as before. */
  async function update(): Promise<void> {
    const isValid = await runPackage('@redocly/cli/bin/cli.js', 'lint', contract)
    if (isValid && (await runPackage('openapi-typescript/bin/cli.js', contract, '--output', types))) await read()
    channel?.send('mock:names', names())
  }

  const failure = (error: unknown) =>
    `The mock can't read ${contract}. Correct the file: the mock reads it again after each change. ${error}`

  /** The names that `?mock=` understands. */
  const names = () => [...preferences(operations).keys(), 'slow', 'offline']

  /** Chooses the answer to a call by `?mock=` in the address of the page that calls. */
  async function chooseAnswer({ url, headers, socket }: IncomingMessage): Promise<void> {
    // With a call to its own origin, a page sends its full address as the referer.
    const name = URL.parse(headers.referer ?? '')?.searchParams.get('mock') ?? ''
    if (name === 'slow') await wait(SLOW_MS)
    if (name === 'offline') socket.destroy()
    const preference = preferences(operations.filter(({ path }) => path === url)).get(name)
    if (preference) headers.prefer = preference
    // Prism gives only an answer whose type the call accepts. So accept every type.
    headers.accept = '*/*'
  }

  /**
   * Prism answers some calls, such as broken JSON, in its own form. This sends the contract's example instead. Only the
   * contract's answers have Cache-Control.
   */
  const replacePrismErrors: ProxyOptions['configure'] = (proxy) =>
    proxy.on('proxyRes', ({ statusCode: status = 0, headers }, _request, response) => {
      const example = headers['cache-control'] ? undefined : exampleOf(operations, status)
      if (example) response.writeHead(status, example.headers).end(example.body)
    })

  return {
    name: 'mock',
    apply: 'serve',
    async config() {
      const target = await prism.listen()
      await read().catch((error) => console.error(failure(error)))
      return {
        server: { proxy: { '^/api(?:[/?]|$)': { target, bypass: chooseAnswer, configure: replacePrismErrors } } },
      }
    },
    configureServer({ config, httpServer, watcher, ws }) {
      channel = ws
      let updated = Promise.resolve()
      // Listen to all events, because some editors replace the file instead of changing it.
      watcher.add(contract).on('all', (_event, file) => {
        if (file === contract) updated = updated.then(update).catch((error) => config.logger.error(failure(error)))
      })
      ws.on('mock:hello', (_nothing, client) => client.send('mock:names', names()))
      httpServer?.once('close', prism.close)
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/tools/dev/panel-script.ts' }, injectTo: 'head-prepend' },
    ],
  }
}

/** Runs a program of a package. No shell is used, because a folder may have a blank in its name. */
async function runPackage(program: string, ...args: readonly string[]): Promise<boolean> {
  const command = [join(ROOT, 'node_modules', program), ...args]
  const [code] = await once(spawn(process.execPath, command, { stdio: 'inherit', cwd: ROOT }), 'exit')
  return code === 0
}

/** Maps each named example and each status to the header `Prefer` that makes Prism give that answer. */
const preferences = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([code, { content }]) => {
        const examples = Object.values(content).flatMap(({ examples }) => Object.keys(examples))
        return [...examples.map((name) => [name, `code=${code}, example=${name}`] as const), [code, `code=${code}`]]
      }),
    ),
  )

/** Returns the first example in the contract of an answer with this status. */
function exampleOf(operations: readonly Operation[], status: number) {
  const { headers, content } = operations.find(({ responses }) => responses[status])?.responses[status] ?? {}
  const [[type, { examples }] = ['', { examples: {} }]] = Object.entries(content ?? {})
  if (!type) return undefined
  const values = Object.entries(headers ?? {}).map(([name, { example }]) => [name, example])
  const body = JSON.stringify(Object(Object.values(examples)[0]).value)
  return { headers: { 'Content-Type': type, ...Object.fromEntries(values) }, body }
}
