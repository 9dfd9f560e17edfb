import { test } from 'vitest'
import type { Call } from '../calls.ts'
import type { Answer } from '../response.ts'
import type { Difference } from '../schemas.ts'
import { SETTINGS } from './call.ts'

type Exchange = { readonly call: Call; readonly answer: Answer | null }

/** An answer that is missing or breaks the contract. The message says what to do if the sentence does not. */
export class Fault extends Error {
  readonly exchange: Exchange
  readonly differences: readonly Difference[]
  constructor(call: Call, answer: Answer | null, differences: readonly Difference[], advice = '') {
    super(advice)
    this.exchange = { call, answer }
    this.differences = differences
  }
}

/** Names something that can't be checked, without a fault of the backend. */
export class Unchecked extends Error {}
export const CAUSE_REPORTED = 'tests that fail for a cause reported above'

/** The answers in the running test. */
const exchanges: Exchange[] = []
export const note = (call: Call, answer: Answer): void => void exchanges.push({ call, answer })

/** The most faults that are reported, and the most tests that report the same fault. */
const MAX_FAULTS = 10
const MAX_TESTS_OF_FAULT = 5
const faults = new Map<string, { readonly text: string; tests: number }>()

/** Makes a test of a sentence of the contract. `advice` says what to do if the sentence does not. */
export function promise(sentence: string, advice: string, run: () => Promise<unknown>, title = ''): void {
  test(title === '' ? sentence : `${sentence} | ${title}`, async ({ skip }) => {
    if (faults.size >= MAX_FAULTS) skip(`the tests after ${MAX_FAULTS} faults`)
    exchanges.length = 0
    const error = await run().catch((error) => error)
    if (error instanceof Unchecked) skip(error.message)
    if (error instanceof Fault) {
      const key = JSON.stringify(error.differences.map(({ rule, ...texts }) => rule ?? [sentence, texts]))
      const fault = faults.get(key) ?? { text: textOf(error, sentence, error.message || advice), tests: 0 }
      faults.set(key, fault)
      if (fault.tests++ >= MAX_TESTS_OF_FAULT) skip(CAUSE_REPORTED)
      // The reporter shows equal errors once.
      throw Object.assign(new Error(fault.text), { name: 'Contract' })
    }
    if (error instanceof Error) throw error
  })
}

function textOf({ exchange, differences }: Fault, sentence: string, advice: string): string {
  const firstExchange = exchanges.find(({ call }) => call !== exchange.call)
  const rules = new Set(differences.map(({ rule = sentence }) => rule.trim().replaceAll(/\s+/g, ' ')))
  return [
    ...rules,
    ...differences.flatMap(({ expected, actual }) => [row('expected', expected), row('got', actual)]),
    ...(advice === '' ? [] : [row('to do', advice)]),
    ...(firstExchange ? exchangeRows(firstExchange, 'first sent') : []),
    ...exchangeRows(exchange, firstExchange ? 'then sent' : 'sent'),
  ].join('\n')
}

/** The headers of an answer that the contract mentions. */
const SHOWN_HEADERS = ['content-type', 'cache-control', 'allow', 'connection', 'location', 'retry-after', 'set-cookie']

function exchangeRows({ call: { method, path, headers, body }, answer }: Exchange, name: string): string[] {
  const bytes = body.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
  const text = /[\0\ufffd]/.test(`${body}`) ? bytes : `${body}`
  const sent = row(name, [`${method} ${path}`, ...linesOf(headers), text].join('\n'))
  if (!answer) return [sent]
  const shownHeaders = linesOf(Object.fromEntries(SHOWN_HEADERS.map((header) => [header, answer.headers[header]])))
  return [sent, row('received', [`${answer.status}`, ...shownHeaders, answer.body].join('\n'))]
}

const linesOf = (headers: Readonly<Record<string, string | readonly string[] | null | undefined>>): string[] =>
  Object.entries(headers).flatMap(([name, values]) => [values ?? []].flat().map((value) => `${name}: ${value}`))
const row = (name: string, text: string) => `${name.padEnd(12)}${short(text).replaceAll('\n', `\n${' '.repeat(12)}`)}`

/** The values of --header and their words, since an answer may repeat a part. The longest come first. */
const SECRETS = Object.values(SETTINGS.headers)
  .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), ...value.split(/[\s,;=]+/)])
  .filter((text) => text.length > 3 && !/^(basic|bearer|digest)$/i.test(text))
  .toSorted((one, other) => other.length - one.length)

/** A text without secrets, cut to a length, and with escaped control characters, which a terminal would act on. */
export function short(text: string, maxLength = 500): string {
  const redacted = SECRETS.reduce((text, secret) => text.replaceAll(secret, '[secret]'), text)
  const runs = redacted
    .slice(0, 70_000) // In a longer text the search for runs would be slow.
    .replace(/(.{1,5}?)\1{30,}/gsu, (run, part) => `${part.repeat(3)}…(${run.length / part.length} times)`)
  const cut = runs.length > maxLength ? `${runs.slice(0, maxLength)}… (${text.length} characters)` : runs
  return cut.replace(/[^\n\P{C}]|[\u2028\u2029]/gu, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`)
}
