import { execSync } from 'node:child_process'

/** Global setup of the tests that open the page as it is built: as visitors get it, whatever the tests run in. */
export default function buildThePage(): void {
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  execSync('vite build --logLevel warn', { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
