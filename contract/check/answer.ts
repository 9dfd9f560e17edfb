import type { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, answerFaults, parseJson, requestFaults } from '../faults.ts'
import { type Operation, readContract } from '../operations.ts'
import { type Call, callOf, send, TOO_LATE } from './call.ts'
import { causeOf, Fault, Unchecked } from './promise.ts'
import { RUN_ID } from './settings.ts'

export const operations = readContract()

/** The statuses that the contract allows. With 200 `success` has to be true. */
export type Expected = number | readonly number[]

/** What to do about a fault that any answer may have, by a part of its text. */
const ADVICE: Readonly<Record<string, string>> = {
  'got 429': 'Switch rate limits off while the check runs. #rate-limits',
  'no answer': 'The log of the backend may say why. Answer within ten seconds. #ten-seconds',
  'Cache-Control':
    "Set Cache-Control: no-store where all answers pass, the framework's own 404 and 405 too. #the-outcomes",
  'Content-Type': "Answer JSON, and make the framework's own errors problem documents too. #html-from-gateways",
  'the cookie': 'Set it with Path=/, without HttpOnly and Domain, random, of 16 characters or more. #the-token-cookie',
  'the errors': 'Collect all faults before you answer, and name each by its place, a JSON Pointer. #invalid-enquiry',
  'that was sent': 'Say in `detail` what a field has to be, not which value it had. #invalid-subscription',
  internals: 'Write the error into your log, and answer a fixed text. #server-error',
  body: 'Compare the answer with its schema in openapi.yaml. #the-outcomes',
}
const adviceFor = (fault: string) => Object.entries(ADVICE).find(([part]) => fault.includes(part))?.[1]
/** Causes that many answers may share: each is reported once. */
const reported = new Set<string>()

/**
 * Sends a call and compares its answer with the contract: every answer of the check passes here. Throws a `Fault`
 * unless the answer has an expected status and breaks no other rule of the contract.
 */
export async function expectAnswer(operation: Operation, expected: Expected, call: Call, agent?: Agent) {
  const answer = await sendInTurn(call, agent).catch(({ message }: Error) => {
    const details = { call, answer: null, advice: adviceFor('no answer'), isFatal: message === TOO_LATE }
    throw new Fault(`no answer: ${message}`, details)
  })
  const value = Object(parseJson(answer.body))
  const statusFaults = statusFaultsOf(operation, expected, answer.status, value)
  const otherFaults = sharedFaults(operation, call, answer).filter((fault) => !reported.has(causeOf(fault)))
  for (const fault of otherFaults) reported.add(causeOf(fault))
  const [fault, ...more] = [...statusFaults, ...otherFaults]
  const isFatal = call.isExample && statusFaults.length > 0
  if (fault) throw new Fault([fault, ...more].join('\n'), { call, answer, advice: adviceFor(fault), isFatal })
  return { ...answer, value }
}

/** Sends a call; after a 429 again, as soon as `Retry-After` says, since a backend may limit calls. */
async function sendInTurn(call: Call, agent: Agent | undefined, waits = 0): Promise<Answer> {
  const answer = await send(call, agent)
  const seconds = Number(answer.headers['retry-after'])
  if (answer.status !== 429 || !(seconds <= 3600) || waits === 5) return answer
  process.stderr.write(`${call.path} is limited for ${seconds} s. Switch limits off while the check runs.\n`)
  await sleep(1000 * seconds)
  return sendInTurn(call, agent, waits + 1)
}

function statusFaultsOf(operation: Operation, expected: Expected, status: number, value: { success?: unknown }) {
  const known = operation.responses.has(status) ? '' : ', which the contract does not know here'
  if (![expected].flat().includes(status)) return [`expected ${[expected].flat().join(' or ')}, got ${status}${known}`]
  return status === 200 && value.success === false ? ['expected success true, got false'] : []
}

/** How an answer breaks the rules that hold for every answer with its status. */
function sharedFaults(operation: Operation, call: Call, answer: Answer): string[] {
  const { status, body } = answer
  const response = operation.responses.get(status)
  const faults = response ? answerFaults(response, answer, call.method) : []
  const cookies = tokensIn(answer).flatMap(cookieFaults)
  if (status < 400 || faults.length > 0) return [...faults, ...cookies]
  const naming = status === 422 ? namingFaults(operation, call, body) : []
  return [...cookies, ...naming, ...leaks(call, body)]
}

/** How the `errors` of a 422 differ from the faults of the call. If the call has none, its key is in use. */
function namingFaults(operation: Operation, call: Call, answer: string): string[] {
  const faults = requestFaults(operation, call.headers, parseJson(`${call.body}`))
  const expected = faults.length > 0 ? faults : ['header idempotency-key']
  const { errors }: { errors: { pointer?: string; header?: string }[] } = Object(parseJson(answer))
  const named = errors.map(({ pointer, header }) => pointer ?? `header ${header?.toLowerCase()}`)
  const isRight = expected.length === named.length && expected.every((place) => named.includes(place))
  return isRight ? [] : [`the errors name other places: ${named.join(', ')} instead of ${expected.join(', ')}`]
}

/** What only the log of a backend should contain. */
const INTERNALS = [
  ...['Traceback', 'Exception', 'TypeError', 'ValueError', 'node_modules', 'SQLSTATE', 'INSERT INTO', 'UNIQUE'],
  ...['/home/', '/usr/', '/srv/', '/var/', '.js:', '.ts:', '.py', '.php', '.java:', '.go:'],
]

/** The sent values and the internals that an error shows. Its `type` and `instance` may be any paths. */
function leaks({ headers, body }: Call, answer: string): string[] {
  const { type: _type, instance: _instance, ...members } = Object(parseJson(answer))
  const text = JSON.stringify(members)
  // Shorter texts may be in it by chance.
  const sent = [...`${body}`.matchAll(/: *"([^"]{8,})"/g)].map(([, value]) => value)
  const isRepeated = [RUN_ID, headers['idempotency-key'], ...sent].some((part) => part && text.includes(part))
  const internal = INTERNALS.find((part) => text.includes(part))
  return [
    ...(isRepeated ? ['an error repeats a value that was sent'] : []),
    ...(internal ? [`an error shows internals: ${internal}`] : []),
  ]
}

/** The lines of an answer that set the cookie XSRF-TOKEN. */
export const tokensIn = ({ headers }: Answer): string[] =>
  [headers['set-cookie'] ?? []].flat().filter((line) => line.startsWith('XSRF-TOKEN='))

/** How a cookie breaks the contract: the page can't read it, another site gets it, or it can be guessed. */
function cookieFaults(line: string): string[] {
  const [pair = '', ...attributes] = line.toLowerCase().split(/ *; */)
  const isRight =
    attributes.includes('path=/') &&
    !attributes.some((attribute) => /^(httponly|domain=|samesite=none)/.test(attribute)) &&
    pair.length >= 'xsrf-token='.length + 16
  return isRight ? [] : [`the cookie: ${line}`]
}

export const WRONG_TOKEN = { cookie: 'XSRF-TOKEN=one', 'x-xsrf-token': 'two' }

/** Throws `Unchecked` unless the backend uses the cookie XSRF-TOKEN: the backend sets it, or refuses a wrong token. */
export async function needTokens(operation: Operation): Promise<void> {
  const first = await expectAnswer(operation, 200, callOf(operation))
  if (tokensIn(first).length > 0) return
  const { status } = await expectAnswer(operation, [200, 403], callOf(operation, { headers: WRONG_TOKEN }))
  if (status === 200) throw new Unchecked('the cookie XSRF-TOKEN, which this backend does not use')
}
