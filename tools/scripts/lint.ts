// Runs all checks of the sources, or those that begin with the argument. At the end, names the checks that failed.
import { spawnSync } from 'node:child_process'

const [beginning = ''] = process.argv.slice(2)
const CHECKS = [
  'tsc -p . --checkers 1',
  'tsc -p src --checkers 1',
  'tsc -p server --checkers 1',
  'tsc -p src/domain',
  'biome ci --error-on-warnings',
  'knip',
  'redocly lint openapi.yaml',
  'openapi-typescript openapi.yaml --output contract/contract.d.ts --check',
].filter((command) => command.startsWith(beginning))

const failed = CHECKS.filter((command) => spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0)
if (failed.length > 0) {
  console.error(`\nThese checks failed:\n  ${failed.join('\n  ')}`)
  console.error(`Their messages are above. To repeat one check: npm run check -- '${failed[0]}'`)
}
process.exitCode = Math.sign(failed.length)
