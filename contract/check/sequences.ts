import { execSync } from 'node:child_process'
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodePercents } from '../../src/domain/percents.ts'
import type { Answer } from '../faults.ts'
import type { Operation } from '../operations.ts'
import { type Expected, expectAnswer, needTokens, operations, tokensIn, WRONG_TOKEN } from './answer.ts'
import {
  type Call,
  type Change,
  callOf,
  exampleOf,
  type Fields,
  newAddress,
  newKey,
  newLocalPart,
  send,
  withFields,
} from './call.ts'
import { Fault, promise, Unchecked } from './promise.ts'
import { HOST, RESTART } from './settings.ts'
import { CHUNKED, LIMIT } from './table.ts'

const [subscribe, contactUs] = operations as [Operation, Operation] // A test holds that the contract has these two.
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

function fail(call: Call, answer: Answer | undefined, expected: string, actual: string): never {
  throw new Fault(`expected ${expected}, got ${actual}`, { call, answer: answer ?? null })
}

/** Calls for one connection: a body that is left unread would be taken for the next call. */
const STEPS: readonly (readonly [Expected, Change])[] = [
  [422, { fields: { '/email': 'none' } }],
  [400, { edit: (json) => json.slice(0, -1) }],
  [415, { headers: { 'content-type': 'text/plain' } }],
  [405, { method: 'PUT' }],
  [404, { path: '/api/more' }],
  [[200, 403], { headers: WRONG_TOKEN }],
  [413, { edit: (json) => json.padEnd(LIMIT + 1), headers: CHUNKED }],
  [405, { method: 'HEAD' }],
  [200, { edit: (json) => json.replace('Given', 'Имя 名前 😀'), headers: CHUNKED }],
]

/** Changes that a backend refuses, each for another reason. One without the cookie accepts the wrong token. */
const REFUSED: readonly (readonly [title: string, Expected, Change])[] = [
  ['another type', 415, { headers: { 'content-type': 'text/plain' } }],
  ['a wrong token', [200, 403], { headers: WRONG_TOKEN }],
  ['no JSON', 400, { edit: (json) => `${json}x` }],
  ['an unknown field', 422, { edit: (json) => json.replace(/}$/, ',"more":1}') }],
]

const STATEMENT =
  'Let one statement decide, on a unique key: insert … on conflict do nothing, and see what it inserted. #races'
const PARSED = 'Keep the key with the stored enquiry, and compare its fields after parsing. #the-idempotency-key'
const DURABLE = 'the data survives a crash of the process and of the machine'
const COMMIT = 'Answer after the commit is on disk. #durable-first'
const UNREAD = 'Read the body of a refused call to its end. #keep-alive'
const FRESH = 'Set a new one with each 403, and accept only the own one. #the-token-cookie'

for (const operation of operations) {
  const CONNECTION = 'After an answer the connection takes the next call, unless the answer says `Connection: close`.'
  promise(operation, CONNECTION, UNREAD, async () => {
    const { Agent } = HOST.protocol === 'https:' ? https : http
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      for (const [expected, change] of STEPS) await expectAnswer(operation, expected, callOf(operation, change), agent)
    } finally {
      agent.destroy()
    }
  })

  promise(operation, 'A fresh value is random', FRESH, async () => {
    await needTokens(operation)
    const call = callOf(operation, { headers: WRONG_TOKEN })
    const [refused, other] = [await expectAnswer(operation, 403, call), await expectAnswer(operation, 403, call)]
    const [mine, theirs] = [refused, other].map((answer) => /=([^;]*)/.exec(tokensIn(answer)[0] ?? '')?.[1] ?? '')
    if (!mine || mine === theirs) fail(call, refused, 'a fresh XSRF-TOKEN', mine ? 'the same twice' : 'none')
    const withToken = (token = '') => ({ cookie: `XSRF-TOKEN=${mine}`, 'x-xsrf-token': decodePercents(token) })
    await expectAnswer(operation, 200, callOf(operation, { headers: withToken(mine) }))
    await expectAnswer(operation, 403, callOf(operation, { headers: withToken(theirs) }))
  })
}

/** Kills the backend and starts it again by the operator's command, and waits until it answers. */
async function restart(): Promise<void> {
  if (RESTART === '') throw new Unchecked('that data outlives a crash: see --restart')
  execSync(RESTART, { stdio: 'ignore', timeout: 60_000 })
  for (let tries = 0; tries < 600; tries++) {
    // A gateway may answer in the place of the backend.
    const { status } = await send(callOf(subscribe, { method: 'GET', path: '/api' })).catch(() => ({ status: 502 }))
    if (status < 502) return
    await sleep(100)
  }
  throw new Error('the backend does not answer any more after the --restart command')
}

const subscription = (email = newAddress(), change: Change = {}) => callOf(subscribe, { body: { email }, ...change })

async function expectExists(exists: boolean, call: Call) {
  const answer = await expectAnswer(subscribe, 200, call)
  if (answer.value.email_exists === exists) return
  if (exists) await needExists()
  fail(call, answer, `email_exists ${exists}`, `${answer.value.email_exists}`)
}

/** Throws `Unchecked` if the backend calls every address new, which the contract allows. */
async function needExists() {
  const call = subscription()
  await expectAnswer(subscribe, 200, call)
  const { value } = await expectAnswer(subscribe, 200, call)
  if (!value.email_exists) throw new Unchecked('which addresses are stored, since email_exists is always false')
}

for (const [title, expected, change] of REFUSED) {
  const run = async () => {
    const email = newAddress()
    const { status } = await expectAnswer(subscribe, expected, subscription(email, change))
    if (status !== 200) await expectExists(false, subscription(email))
  }
  promise(
    subscribe,
    'Nothing of a refused request is stored.',
    'Check all before you store. #durable-first',
    run,
    title,
  )
}

promise(subscribe, 'exactly one is answered with `email_exists: false`.', STATEMENT, async () => {
  for (const call of times(4, subscription)) {
    const answers = await Promise.all(times(10, () => expectAnswer(subscribe, 200, call)))
    const count = answers.filter(({ value }) => value.email_exists === false).length
    if (count === 10) await needExists()
    if (count !== 1) fail(call, answers[0], 'email_exists false for one of 10 calls at once', `for ${count}`)
  }
})

const LOWER_CASE = 'The unique key is the address in lower case, of ASCII alone. #already-subscribed'
promise(subscribe, 'Addresses that differ only in the case of ASCII letters are one address', LOWER_CASE, async () => {
  const address = `${newLocalPart()}abcdefghijklmnopqrstuvwxyzABC@Example.com`
  await expectExists(false, subscription(address))
  for (const email of [address.toUpperCase(), address.toLowerCase()]) await expectExists(true, subscription(email))
})

promise(subscribe, 'all others are different ones', 'Cut, fold and strip nothing. #text-to-the-letter', async () => {
  const localPart = newLocalPart()
  const similar = ['.', '', '+', '_', '%'].map((sign) => `${localPart}a${sign}b@example.com`)
  for (const email of [...similar, `${localPart}a.b@b.example.com`]) await expectExists(false, subscription(email))
})

promise(subscribe, DURABLE, COMMIT, async () => {
  const acknowledged = times(50, subscription)
  for (const call of RESTART === '' ? [] : acknowledged) await expectAnswer(subscribe, 200, call)
  await restart()
  for (const call of acknowledged) await expectExists(true, call)
})

const newEnquiry = (fields: Fields = {}) => [exampleOf(contactUs, fields), newKey()] as const
const enquiry = (body: unknown, key: string | null) => callOf(contactUs, { body, headers: { 'idempotency-key': key } })
const withOtherText = (body: object) => withFields(body, { '/msg': 'Another' })

const REPEAT = 'a repeat with the same key and the same body is answered like the first'
promise(contactUs, REPEAT, PARSED, async () => {
  const [body, key] = newEnquiry({ '/msg': 'Grüße/😀' })
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2)
  const escaped = JSON.stringify(body).replaceAll('ü', '\\u00fc').replaceAll('/', '\\/')
  for (const same of [body, body, reversed, escaped]) await expectAnswer(contactUs, 200, enquiry(same, key))
  await expectAnswer(contactUs, 200, enquiry(body, key.toUpperCase()))
  const call = enquiry(...newEnquiry())
  await Promise.all(times(10, () => expectAnswer(contactUs, 200, call)))
})

promise(contactUs, 'Without the header every call is an enquiry of its own.', PARSED, async () => {
  const [body, key] = newEnquiry()
  for (const sentKey of [key, null, null]) await expectAnswer(contactUs, 200, enquiry(body, sentKey))
})

for (const [title, expected, { headers, ...change }] of REFUSED) {
  const run = async () => {
    const [body, key] = newEnquiry()
    const refused = callOf(contactUs, { body, ...change, headers: { ...headers, 'idempotency-key': key } })
    const { status } = await expectAnswer(contactUs, expected, refused)
    if (status !== 200) await expectAnswer(contactUs, 200, enquiry(withOtherText(body), key))
  }
  promise(contactUs, 'after an attempt that was refused or failed, the key is free for any body', PARSED, run, title)
}

/** Pairs of different enquiries that a backend with this mistake treats as the same. */
const NEAR_DUPLICATES: readonly (readonly [mistake: string, fields: Fields, otherFields: Fields])[] = [
  ['case', { '/msg': 'Hello' }, { '/msg': 'hello' }],
  ['accents', { '/name/last': 'Żółć' }, { '/name/last': 'Zolc' }],
  ['the end of a long text', { '/msg': `${'a'.repeat(4999)}b` }, { '/msg': `${'a'.repeat(4999)}c` }],
  ['names joined', { '/name': { first: 'a', last: 'b c' } }, { '/name': { first: 'a b', last: 'c' } }],
  ['the address', {}, { '/email': newAddress() }],
  ['the first name', {}, { '/name/first': 'Other' }],
  ['the last name', {}, { '/name/last': 'Other' }],
  ['the case of the key', {}, { '/msg': 'Other' }],
]
for (const [mistake, fields, otherFields] of NEAR_DUPLICATES) {
  const run = async () => {
    const [body, key] = newEnquiry()
    await expectAnswer(contactUs, 200, enquiry(withFields(body, fields), key))
    await expectAnswer(contactUs, 422, enquiry(withFields(body, otherFields), key.toUpperCase()))
    await expectAnswer(contactUs, 200, enquiry(withFields(body, fields), key))
  }
  promise(contactUs, 'the same key with another body is refused with 422', PARSED, run, mistake)
}

promise(contactUs, 'Of two different bodies that come at once with one key, one is stored', STATEMENT, async () => {
  for (const [body, key] of times(6, newEnquiry)) {
    const both = [enquiry(body, key), enquiry(withOtherText(body), key)] as const
    const answers = await Promise.all(both.map((call) => expectAnswer(contactUs, [200, 422], call)))
    const statuses = answers.map(({ status }) => status).sort()
    if (`${statuses}` !== '200,422') fail(both[0], answers[0], '200 and 422', statuses.join(' and '))
  }
})

promise(contactUs, DURABLE, COMMIT, async () => {
  const acknowledged = times(50, newEnquiry)
  for (const [body, key] of RESTART === '' ? [] : acknowledged) await expectAnswer(contactUs, 200, enquiry(body, key))
  await restart()
  for (const [body, key] of acknowledged) await expectAnswer(contactUs, 422, enquiry(withOtherText(body), key))
})
