// Runs every check that needs no browser and no server, two at a time. Prints a line for each, then the failures.
import { exec } from 'node:child_process'

/** Fails if the types of a contract are not those that it generates. */
const typesUpToDate = (contract: string, types: string) => `openapi-typescript ${contract} --output ${types} --check`

const CHECKS: [name: string, command: string][] = [
  ['types (page without Node, server without DOM, domain without both)', 'npm run --silent types'],
  ['format, lint, import rules', 'biome ci --colors=off --error-on-warnings'],
  ['unused code', 'knip'],
  ['contract lint', 'redocly lint openapi.yaml webhooks.yaml'],
  [
    'contract types up to date (else: npm run generate)',
    `${typesUpToDate('openapi.yaml', 'src/contract.d.ts')} && ${typesUpToDate('webhooks.yaml', 'server/messages/webhook-contract.d.ts')}`,
  ],
]

const failures: string[] = []
const queue = CHECKS.values()

async function runChecks() {
  for (const [name, command] of queue) {
    const started = performance.now()
    const output = await new Promise<string | null>((resolve) => {
      exec(command, (error, stdout, stderr) => resolve(error ? stdout + stderr : null))
    })
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${output === null ? '✓' : '✗'} ${name} ${seconds} s`)
    if (output !== null) failures.push(`\n✗ ${name}: ${command}\n\n${output}`)
  }
}

await Promise.all([runChecks(), runChecks()])
for (const failure of failures) console.error(failure)
process.exitCode = failures.length > 0 ? 1 : 0
