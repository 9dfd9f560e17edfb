import { runCommand } from './cli.ts'
import { printStatus } from './progress.ts'

process.on('SIGHUP', () => process.exit(129))
process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143))
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader has seen enough: `| head`.
  if (code === 'EPIPE') process.exit()
  printStatus(`Can't write to standard output (${code}): the output is incomplete.`)
  process.exit(1)
})
const code = await runCommand(process.argv.slice(2))
if (code !== 0) process.exit(code)
