import { join } from 'node:path'
import { createServer, isRunnableDevEnvironment } from 'vite'
import { afterAll } from 'vitest'
import type { Settings } from '../../../contract/check/call.ts'

const STAND_IN = join(import.meta.dirname, '../../../tools/scripts/vitest-stand-in.ts')
type StandIn = typeof import('../../../tools/scripts/vitest-stand-in.ts')

const vite = await createServer({
  configFile: false,
  logLevel: 'error',
  resolve: { alias: [{ find: /^vitest(\/node)?$/, replacement: STAND_IN }] },
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
})
afterAll(() => vite.close())

/** Runs the check in this process, by the stand-in, with nothing left of an earlier run. Returns what each test found. */
export async function runCheck(host: string, only = '', settings: Partial<Settings> = {}) {
  const all = { host, origin: host, headers: {}, restart: '', runId: 'abcdef12', timeoutMs: 10_000, ...settings }
  process.env.CONTRACT_CHECK = JSON.stringify(all satisfies Settings)
  const { ssr } = vite.environments
  if (ssr === undefined || !isRunnableDevEnvironment(ssr)) throw new Error('Vite runs no modules here.')
  ssr.runner.clearCache()
  const { startVitest }: StandIn = await ssr.runner.import(STAND_IN)
  const testNamePattern = { test: (name: string) => name.includes(only) }
  const { state } = await startVitest([], { testNamePattern })
  return state.getTestModules().flatMap(({ children }) =>
    children.allTests().map(({ fullName, result }) => {
      const { state, errors = [], note = '' } = result()
      return { title: fullName.replace(/^\w+ > /, ''), state, note, said: errors[0]?.message ?? '', errors }
    }),
  )
}
export const failedIn = (results: Awaited<ReturnType<typeof runCheck>>) =>
  results.filter(({ state }) => state === 'failed')
