#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { explainError } from '../storage/database-errors.ts'
import { clearStep } from '../storage/progress.ts'
import { addCommands } from './commands.ts'
import { say } from './terminal.ts'

/** Runs one command; returns the exit code of the process. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = new Command('leads')
    .description('Exports, erases and backs up the subscribers and enquiries in the database of DATABASE_URL.')
    .version(packageJson.version)
    .exitOverride()
  addCommands(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its error already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    say(explainError(error))
    return 1
  }
}

if (import.meta.main) {
  process.on('exit', clearStep)
  process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143))
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // The reader has closed the pipe, as `| head` does.
    if (code === 'EPIPE') process.exit()
    say(`Can't write to standard output (${code}): the output is incomplete.`)
    process.exit(1)
  })
  const code = await runCommand(process.argv.slice(2))
  if (code !== 0) process.exit(code)
}
