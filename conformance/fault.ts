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

/** Describes a fault: commands that repeat its calls, the bodies that are in files, and the answer. */
export function describeFault(fault: string, calls: readonly Call[], answer?: Answer): Fault {
  const commands = calls.map(curlCommand).join(' &\n') + (calls.length > 1 ? ' & wait' : '')
  const bodies = commands.includes('--data-binary') ? calls.map(({ body }) => `Body: ${shorten(`${body}`)}`) : []
  return new Fault([fault.trim(), commands, ...bodies, ...(answer ? [shorten(answer)] : [])].join('\n'))
}

const shorten = (value: unknown) => inspect(value, { maxStringLength: 300 })
