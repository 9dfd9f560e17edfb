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

/** Creates a fault. Its message has commands that repeat the calls, the bodies that a command has in a file, and the answer. */
export function createFault(fault: string, calls: readonly Call[], answer?: Answer): Fault {
  const commands = calls.map(curlCommand).join(' &\n') + (calls.length > 1 ? ' & wait' : '')
  const bodies = commands.includes('--data-binary') ? calls.map(({ body }) => `Body: ${shorten(`${body}`)}`) : []
  return new Fault([fault.trim(), commands, ...bodies, ...(answer ? [shorten(answer)] : [])].join('\n'))
}

const shorten = (value: unknown) => inspect(value, { maxStringLength: 300 })
