import { execSync } from 'node:child_process'

/** Where the page that the tests open is built: not `dist`, which a running server may serve. */
export const DIST = 'node_modules/.cache/page'

/** Builds a page as visitors get it, whatever the tests run in, by this configuration and with these settings. */
export function buildPage(dist: string, config: string, settings: NodeJS.ProcessEnv = {}): void {
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  execSync(`vite build --logLevel warn --outDir ${dist} --config ${config}`, {
    env: { ...env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Global setup of the tests that open the page as it is built. */
export default (): void => buildPage(DIST, 'vite.config.ts')
