import { execSync } from 'node:child_process'

/** Builds the page of a folder as visitors get it, whatever the tests run in. */
export function buildPage(folder: string): void {
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  execSync('vite build --logLevel warn', { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Global setup of the tests that open the page as it is built. */
export default (): void => buildPage('.')
