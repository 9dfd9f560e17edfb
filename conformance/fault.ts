import { inspect } from 'node:util'
import type { Answer } from '../contract/faults.ts'
import type { Call } from './call.ts'
import { curlCommand } from './curl.ts'

/** A fault of the backend. Node prints only its message: a stack would show lines of this check. */
export class Fault extends Error {
  [inspect.custom]() {
    return this.message
  }
}

/** Creates a fault. Its message has commands that repeat the calls, bodies that a command has in a file, and the answer. */
export function createFault(fault: string, calls: readonly Call[], answer?: Answer, before?: Call): Fault {
  const [command = '', ...others] = new Set(calls.map(curlCommand))
  const repeated = calls.length > 1 ? `for _ in $(seq ${calls.length}); do ${command} & done; wait` : command
  const commands = others.length > 0 ? `${[command, ...others].join(' &\n')} & wait` : repeated
  const first = before ? ['The call before:', curlCommand(before), 'The call:'] : []
  const bodies = commands.includes('--data-binary') ? calls.map(({ body }) => `Body: ${shorten(`${body}`)}`) : []
  return new Fault([fault.trim(), ...first, commands, ...bodies, ...(answer ? [shorten(answer)] : [])].join('\n'))
}

const shorten = (value: unknown) => inspect(value, { maxStringLength: 300 })
