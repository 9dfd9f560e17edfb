// Runs every check of the sources, or those that begin with a word, and names at the end which failed.
import { spawnSync } from 'node:child_process'

const [word = ''] = process.argv.slice(2)
const CHECKS = [
  'tsc -p . --checkers 1',
  'tsc -p src --checkers 1',
  'tsc -p server --checkers 1',
  'tsc -p src/domain',
  'biome ci --error-on-warnings',
  'knip',
  'redocly lint openapi.yaml',
  'openapi-typescript openapi.yaml --output contract/contract.d.ts --check',
].filter((command) => command.startsWith(word))

const failed = CHECKS.filter((command) => spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0)
if (failed.length > 0) console.error(`\nThese checks failed:\n  ${failed.join('\n  ')}`)
process.exitCode = Math.sign(failed.length)
