import { test } from 'node:test'
import type { Answer } from '../faults.ts'
import type { Operation } from '../operations.ts'
import type { Call } from './call.ts'
import { RUN_ID } from './settings.ts'

type Details = {
  readonly call: Call
  readonly answer: Answer | null
  /** What to do about it; without it the advice of the sentence holds. */
  readonly advice?: string | undefined
  /** Whether other calls would fail too, or would last too long. */
  readonly isFatal?: boolean
}

/** An answer that is missing or breaks the contract. */
export class Fault extends Error {
  readonly details: Details
  constructor(problem: string, details: Details) {
    super(problem)
    this.details = details
  }
}

/** A fault without the values of one call, which stand after its first colon. */
export const causeOf = (fault: string): string => fault.replace(/[:\n].*/s, '')

/** Names something that can't be checked, without a fault of the backend. */
export class Unchecked extends Error {}

/** After so many faults the check stops. */
const MAX_FAULTS = 10
const causes = new Set<string>()
let isOver = false
/** How many tests ran, and why others did not. */
let tests = 0
const reasons = new Map<string, number>()

/** Makes a test of a sentence of the contract. Of tests that fail for one cause only the first one fails. */
export function promise(
  { name }: Operation,
  sentence: string,
  advice: string,
  run: () => Promise<unknown>,
  title = '',
): void {
  test(`${name} > ${sentence}${title && ` | ${title}`}`, async (context) => {
    tests++
    function skip(reason: string) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      context.skip(reason)
    }
    if (isOver) return skip('what comes after these faults')
    const error = await run().catch((error) => error)
    if (error instanceof Unchecked) return skip(error.message)
    if (error instanceof Fault) {
      const { details, message } = error
      const cause = `${details.advice ?? sentence} ${causeOf(message)}`
      if (causes.has(cause)) return skip('what fails for a cause that is shown')
      causes.add(cause)
      isOver = details.isFatal === true || causes.size >= MAX_FAULTS
      const toDo = (details.advice ?? advice).replace(' #', '\nsee: docs/implementing-the-contract.md#')
      throw withoutStack(`${message}\nto do: ${toDo}\n${exchange(details)}`)
    }
    if (error instanceof Error) throw error
  })
}

/** The fault is in the backend: a stack of this check would say nothing. */
const withoutStack = (message: string) => Object.assign(new Error(message), { stack: message })

function exchange({ call: { method, path, headers, body }, answer }: Details): string {
  const sent = `sent: ${method} ${path}\n${linesOf(headers)}${shown(`${body}`)}`
  return answer ? `${sent}\nreceived: ${answer.status}\n${linesOf(answer.headers)}${shown(answer.body)}` : sent
}

const linesOf = (headers: object) =>
  Object.entries(headers)
    .filter(([name]) => !/^(content-length|date|keep-alive|transfer-encoding)$/.test(name))
    .map(([name, value]) => `  ${name}: ${shown(`${value}`)}\n`)
    .join('')

/** A text cut to a length, with escaped control characters, which a terminal would act on. */
export function shown(text: string, maxLength = 300): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text
  return cut.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`)
}

process.on('exit', () => {
  const unchecked = [...reasons].map(([reason, count]) => `${reason} (${count})`)
  if (tests > 0)
    process.stderr.write(`\nNot checked: ${[...unchecked, 'whether more is stored, or twice', '429, 500, 503'].join('; ')}.
To delete what it stored: the rows whose email is LIKE 'contract+${RUN_ID}.%'.\n`)
  // A name pattern that no test has would look like a success.
  else process.exitCode ||= 2
})
