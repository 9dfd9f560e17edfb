import { join } from 'node:path'
import { createServer, isRunnableDevEnvironment } from 'vite'
import type { Settings } from '../../../contract/check/call.ts'

const STAND_IN = join(import.meta.dirname, '../../../tools/scripts/vitest-stand-in.ts')
type StandIn = typeof import('../../../tools/scripts/vitest-stand-in.ts')

// It serves all test files of a worker, and ends with the worker.
const vite = await createServer({
  configFile: false,
  logLevel: 'error',
  resolve: { alias: [{ find: /^vitest(\/node)?$/, replacement: STAND_IN }] },
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})

let runs = 10

/** Runs the tests of the check whose names contain one of these texts, in this process and with a new state. */
export async function runCheck(host: string, texts: readonly string[], settings: Partial<Settings> = {}) {
  // Runs may share a database, so that each run needs its own addresses.
  const runId = `abcdef${runs++}`
  const allSettings = { host, origin: host, headers: {}, restart: '', runId, timeoutMs: 10_000, ...settings }
  process.env.CONTRACT_CHECK = JSON.stringify(allSettings satisfies Settings)
  const { ssr } = vite.environments
  if (ssr === undefined || !isRunnableDevEnvironment(ssr)) throw new Error('Vite runs no modules here.')
  ssr.runner.clearCache()
  const { startVitest }: StandIn = await ssr.runner.import(STAND_IN)
  const testNamePattern = { test: (name: string) => texts.some((text) => name.includes(text)) }
  const { state } = await startVitest([], { testNamePattern })
  const results = state.getTestModules().flatMap(({ children }) => children.allTests())
  return {
    names: results.map(({ fullName }) => fullName),
    failed: results.flatMap(({ fullName: name, result }) => {
      const [error] = result().errors ?? []
      return error ? [{ name, message: error.message }] : []
    }),
    /** The promises that could not be checked. */
    unchecked: [...new Set(results.flatMap(({ result }) => result().note ?? []))],
  }
}
