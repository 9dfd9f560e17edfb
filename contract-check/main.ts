// Holds any running backend to openapi.yaml.
import { basename } from 'node:path'
import { contractCommand } from './command.ts'

const { argv, env, stdout, stderr } = process
const interrupted = new AbortController()
// A second one ends it at once.
process.once('SIGINT', () => interrupted.abort())
// Who reads no further still wants the exit code.
stdout.on('error', () => {})

process.exitCode = await contractCommand(argv.slice(2), {
  name: env.npm_lifecycle_event === 'contract' ? 'npm run contract --' : `node ${basename(argv[1] ?? '')}`,
  print: (text) => stdout.write(text),
  tell: (text) => stderr.write(text),
  interrupted: interrupted.signal,
})
// A pipe takes a report bit by bit: only after its last byte this may end, whatever connection is still open.
stdout.write('', () => process.exit())
