// Runs all checks of the sources, or only the commands that begin with the argument. At the end, names the checks that
// failed.
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

const typeErrors = new Set<string>()

function fails(command: string): boolean {
  if (!command.startsWith('tsc')) return spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0
  // Several projects contain the same file. Each error of the types is printed once.
  const { status, stdout } = spawnSync(command, {
    shell: true,
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  for (const line of stdout.split('\n').filter((line) => !typeErrors.has(line))) {
    console.log(line)
    typeErrors.add(line)
  }
  return status !== 0
}

const failed = CHECKS.filter(fails)
if (failed.length > 0) {
  console.error(`\nThese checks failed:\n  ${failed.join('\n  ')}`)
  console.error(`Their messages are above. To repeat one check: npm run check -- '${failed[0]}'`)
  console.error('"npm run format" corrects the format. CONTRIBUTING.md has the rules for code.')
}
process.exitCode = Math.sign(failed.length)
