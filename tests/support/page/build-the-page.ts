import { execSync } from 'node:child_process'

/** The folder of the built page for tests. It is not `dist`, because a running server may serve that folder. */
export const DIST = 'node_modules/.cache/page'

/** Builds a page for production, with this configuration and these settings. */
export function buildPage(dist: string, config: string, settings: NodeJS.ProcessEnv = {}): void {
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  execSync(`vite build --logLevel warn --outDir ${dist} --config ${config}`, {
    env: { ...env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Global setup of the tests that open the built page. */
export default (): void => buildPage(DIST, 'vite.config.ts')
