import { test } from 'node:test'
import type { Answer } from '../contract/faults.ts'
import { ADVICE, type CheckFault, DEPENDENT } from './advice.ts'
import { type Call, TOO_LATE } from './call.ts'
import { RUN_ID } from './settings.ts'

/** Says why something can't be checked, without a fault of the backend. */
class Unchecked extends Error {}

/** After so many causes the check stops. */
const MAX_CAUSES = 10
/** What failed tests have shown. */
const [causes, texts] = [new Set<string>(), new Set<string>()]
let isOver = false
/** How many tests ran, and why others did not. */
let tests = 0
const reasons = new Map<string, number>()

const causeOf = ({ code, text }: CheckFault) => (code in DEPENDENT ? code : `${code} ${text}`)
/** Whether no test has shown the fault. */
export const isNew = (fault: CheckFault): boolean =>
  !causes.has(causeOf(fault)) && !(fault.code in DEPENDENT && texts.has(fault.text))

/** Ends a test: it fails if its fault is new, and is skipped otherwise. */
export function endTest(fault: CheckFault, call: Call, answer: Answer | null): never {
  const { code, text, value } = fault
  if (!isNew(fault)) throw new Unchecked('what fails for a cause that is shown')
  causes.add(causeOf(fault))
  texts.add(text)
  isOver ||= /^(first-call|rate-limits)$/.test(code) || value === TOO_LATE || causes.size >= MAX_CAUSES
  const advice = `to do: ${ADVICE[code]}\nsee: docs/implementing-the-contract.md#${code}`
  const message = `${text}${value === undefined ? '' : `: ${shown(value)}`}\n${advice}\n${exchange(call, answer)}`
  // The fault is in the backend: a stack of this check would say nothing.
  throw Object.assign(new Error(message), { stack: message })
}

/** Makes a test, which is skipped if there is a reason. */
export function check(title: string, reason: string | undefined, run: () => Promise<void>): void {
  test(title, async (context) => {
    tests++
    try {
      if (reason || isOver) throw new Unchecked(reason ?? 'what comes after these faults')
      await run()
    } catch (error) {
      if (!(error instanceof Unchecked)) throw error
      reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1)
      context.skip(error.message)
    }
  })
}

function exchange({ method, path, headers, body }: Call, answer: Answer | null): string {
  const sent = `sent: ${method} ${path}\n${linesOf(headers)}${shown(`${body}`)}`
  return answer ? `${sent}\nreceived: ${answer.status}\n${linesOf(answer.headers)}${shown(answer.body)}` : sent
}

const linesOf = (headers: object) =>
  Object.entries(headers)
    .map(([name, value]) => `  ${name}: ${shown(`${value}`)}\n`)
    .join('')

/** A text cut to a length that is easy to read, with escaped control characters, which a terminal would act on. */
export function shown(text: string): string {
  const cut = text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
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
