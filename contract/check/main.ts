// Checks any running backend against openapi.yaml.
import { basename } from 'node:path'
import { contractCommand } from './command.ts'

const { argv, env, stdout, stderr } = process
const interrupted = new AbortController()
// A second Ctrl-C ends the process at once.
process.once('SIGINT', () => interrupted.abort())
// A reader that stops early (`| head`) still gets the exit code.
stdout.on('error', () => {})

process.exitCode = await contractCommand(argv.slice(2), {
  name: env.npm_lifecycle_event === 'contract' ? 'npm run contract --' : `node ${basename(argv[1] ?? '')}`,
  stdout: (text) => stdout.write(text),
  stderr: (text) => stderr.write(text),
  interrupted: interrupted.signal,
})
// Exits after the last byte is in the pipe, and does not wait for open connections.
stdout.write('', () => process.exit())
