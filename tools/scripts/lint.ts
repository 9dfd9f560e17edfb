// Runs all checks of the sources side by side, or only the commands that begin with the argument. Prints the messages of
// those that fail.
import { exec } from 'node:child_process'

const [beginning = ''] = process.argv.slice(2)
const CHECKS = [
  'tsc -p . --checkers 1',
  'tsc -p src --checkers 1',
  'tsc -p server --checkers 1',
  'tsc -p src/domain',
  `biome ci --error-on-warnings${process.stdout.isTTY ? '' : ' --colors=off'}`,
  'knip',
  'redocly lint openapi.yaml',
  'openapi-typescript openapi.yaml --output contract/contract.d.ts --check',
].filter((command) => command.startsWith(beginning))

const typeErrors = new Set<string>()
const failed: string[] = []

/** Runs one check. Its messages are printed when it has ended. */
const run = (command: string) =>
  new Promise<void>((resolve) => {
    exec(command, { maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      if (error === null) console.log(`passed: ${command}`)
      else {
        failed.push(command)
        printMessages(stdout + stderr, command.startsWith('tsc'))
      }
      resolve()
    })
  })

/** Several projects contain the same file. Each error of the types is printed once. */
function printMessages(messages: string, areTypeErrors: boolean) {
  for (const line of messages.split('\n').filter((line) => !typeErrors.has(line))) {
    console.log(line)
    if (areTypeErrors) typeErrors.add(line)
  }
}

await Promise.all(CHECKS.map(run))
if (failed.length === 0) console.log('\nAll checks passed.')
else {
  console.error(`\nThese checks failed:\n  ${failed.join('\n  ')}`)
  console.error(`Their messages are above. To repeat one check: npm run check -- '${failed[0]}'`)
  console.error('"npm run format" corrects the format. CONTRIBUTING.md has the rules for code.')
}
process.exitCode = Math.sign(failed.length)
