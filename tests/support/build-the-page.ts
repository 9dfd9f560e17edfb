import { execSync } from 'node:child_process'

/** Global setup of the tests that open the page and the reference as they are built: as visitors get it, whatever the tests run in. */
export default function buildThePage(): void {
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  for (const build of ['vite build --logLevel warn', 'node scripts/docs.ts'])
    execSync(build, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
