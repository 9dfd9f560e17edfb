import http from 'node:http'
import https from 'node:https'
import { describe } from 'vitest'
import { decodePercents } from '../../src/domain/percents.ts'
import { type Call, type Fields, withFields } from '../calls.ts'
import { cookieValue, tokensIn } from '../cookies.ts'
import type { Operation } from '../operations.ts'
import type { Answer } from '../response.ts'
import { type Expected, expectAnswer, needTokens, operations, WRONG_TOKEN } from './answer.ts'
import * as calls from './call.ts'
import { Fault, promise, Unchecked } from './fault.ts'
import { restart } from './restart.ts'
import { CHUNKED, LIMIT } from './table.ts'

const { addressOf, callOf, exampleOf, HOST, newAddress, newKey, newLocalPart } = calls
const [subscribe, contactUs] = operations as [Operation, Operation] // A test holds that the contract has these two.
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

function fail(call: Call, answer: Answer | undefined, expected: string, actual: string): never {
  throw new Fault(call, answer ?? null, [{ expected, actual }])
}

/** Changes of a valid call. Each change gives the backend another reason to refuse the call. */
const REFUSALS: readonly (readonly [title: string, refused: (call: Call) => Call])[] = [
  ['another type', (call) => ({ ...call, headers: { ...call.headers, 'content-type': 'text/plain' } })],
  ['a wrong token', (call) => ({ ...call, headers: { ...call.headers, ...WRONG_TOKEN } })],
  ['no JSON', (call) => ({ ...call, body: Buffer.from(`${call.body}x`) })],
  ['an unknown field', (call) => ({ ...call, body: Buffer.from(`${call.body}`.replace(/}$/, ',"more":1}')) })],
]
/** A backend that does not use the cookie accepts a wrong token. */
const REFUSED = [200, 400, 403, 415, 422]

const tooLong = (json: string) => json.padEnd(LIMIT + 1)
/** Calls for one connection: a body that is left unread would be taken for the next call. */
const STEPS: readonly (readonly [Expected, calls.Change])[] = [
  [200, {}],
  [422, { fields: { '/email': 'none' } }],
  [400, { edit: (json) => json.slice(0, -1) }],
  [415, { headers: { 'content-type': 'text/plain' } }],
  [405, { method: 'PUT' }],
  [404, { path: '/api/more' }],
  [[200, 403], { headers: { 'sec-fetch-site': 'cross-site' } }],
  [[200, 403], { headers: WRONG_TOKEN }],
  [413, { edit: tooLong }],
  [413, { edit: tooLong, headers: CHUNKED }],
  [405, { method: 'HEAD' }],
  [404, { method: 'HEAD', path: '/api/more' }],
  [200, { headers: CHUNKED }],
  [200, { edit: (json) => json.replace('Given', 'Имя 名前 😀'), headers: CHUNKED }],
]

const CONNECTION = 'After an answer the connection takes the next call, unless the answer says `Connection: close`.'
const UNREAD =
  'Read the body of a refused call to its end, or close the connection and say so. Send no body after HEAD.'
const TOKEN =
  'A fresh value is random, of 16 characters or more: no visitor gets the value of another, and no old value comes back.'
const STATEMENT =
  'Let one statement decide, on a unique key: insert … on conflict do nothing, and see what it inserted.'
const FOLD = 'The unique key is the address in lower case, of ASCII alone: in some locales I becomes ı.'
const PARSED = 'Keep the key with the stored enquiry, and compare its fields after parsing, as bytes.'
const DURABLE = 'the data survives a crash of the process and of the machine'

for (const operation of operations)
  describe(operation.name, () => {
    promise(CONNECTION, UNREAD, async () => {
      const { Agent } = HOST.protocol === 'https:' ? https : http
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      let mayConnect = true
      for (const [expected, change] of STEPS) {
        const call = callOf(operation, change)
        const answer = await expectAnswer(operation, expected, call, agent)
        if (!mayConnect && !answer.isReused) fail(call, answer, 'the connection to take this call', 'it was closed')
        const { connection, 'content-length': length } = answer.headers
        // After HEAD without a length, Node's client makes a new connection by itself.
        mayConnect = /\bclose\b/i.test(`${connection}`) || (call.method === 'HEAD' && length === undefined)
      }
      agent.destroy()
    })

    promise(TOKEN, 'Accept only the value of the cookie.', async () => {
      await needTokens(operation)
      const refused = () => expectAnswer(operation, 403, callOf(operation, { headers: WRONG_TOKEN }))
      const [mine, theirs] = [await refused(), await refused()].map((answer) => cookieValue(tokensIn(answer)[0]))
      const withToken = (token = '') => ({ cookie: `XSRF-TOKEN=${mine}`, 'x-xsrf-token': decodePercents(token) })
      await expectAnswer(operation, 200, callOf(operation, { headers: withToken(mine) }))
      await expectAnswer(operation, 403, callOf(operation, { headers: withToken(theirs) }))
    })
  })

describe('subscribe', () => {
  const callFor = (email = newAddress(), headers = {}) => callOf(subscribe, { body: { email }, headers })
  /** Throws `Unchecked` if the backend calls every address new, which the contract allows. */
  async function needExists() {
    const call = callFor()
    await expectAnswer(subscribe, 200, call)
    const { value } = await expectAnswer(subscribe, 200, call)
    if (!value.email_exists) throw new Unchecked('which addresses are stored, since email_exists is always false')
  }
  async function expectExists(exists: boolean, call: Call) {
    const answer = await expectAnswer(subscribe, 200, call)
    if (exists && answer.value.email_exists === false) await needExists()
    const actual = `email_exists ${answer.value.email_exists}`
    if (answer.value.email_exists !== exists) fail(call, answer, `email_exists ${exists}`, actual)
  }

  for (const [title, refused] of REFUSALS) {
    const run = async () => {
      const call = callFor()
      const { status } = await expectAnswer(subscribe, REFUSED, refused(call))
      if (status !== 200) await expectExists(false, call)
    }
    promise('Nothing of a refused request is stored.', 'Check all before you store.', run, title)
  }

  promise('Adds an address to the list of those who want to hear', 'An enquiry does not.', async () => {
    const email = newAddress()
    await expectAnswer(contactUs, 200, callOf(contactUs, { fields: { '/email': email } }))
    await expectExists(false, callFor(email))
  })

  promise('`subscribe` ignores it.', 'Do not look at Idempotency-Key here.', async () => {
    for (const email of times(2, newAddress))
      await expectExists(false, callFor(email, { 'idempotency-key': 'no UUID' }))
  })

  promise('exactly one is answered with `email_exists: false`.', STATEMENT, async () => {
    for (const call of times(4, callFor)) {
      const answers = await Promise.all(times(10, () => expectAnswer(subscribe, 200, call)))
      const count = answers.filter(({ value }) => value.email_exists === false).length
      if (count === 10) await needExists()
      if (count !== 1) fail(call, answers[0], 'email_exists false for one of 10 calls at once', `for ${count}`)
    }
  })

  promise('Addresses that differ only in the case of ASCII letters are one address', FOLD, async () => {
    const address = `${newLocalPart()}abcdefghijklmnopqrstuvwxyzABC@Example.com`
    await expectExists(false, callFor(address))
    const spellings = [address.replace('Example', 'EXAMPLE'), address.toUpperCase(), address.toLowerCase()]
    for (const email of spellings) await expectExists(true, callFor(email))
  })

  promise('all others are different ones', 'Cut, fold and strip nothing.', async () => {
    const [localPart, longAddress] = [newLocalPart(), addressOf(254, 60)]
    const similar = ['.', '', '+', '..', '_', '%', 'x', "'"].map((sign) => `${localPart}a${sign}b@example.com`)
    const changedLate = [64, 128, 230].map((at) => `${longAddress.slice(0, at)}n${longAddress.slice(at + 1)}`)
    const addresses = [
      ...similar,
      `${localPart}xa.b@example.com`,
      `${localPart}a.b@b.example.com`,
      longAddress,
      ...changedLate,
    ]
    for (const email of addresses) await expectExists(false, callFor(email))
  })

  promise(DURABLE, 'Answer after the commit is on disk.', async () => {
    if (calls.SETTINGS.restart === '') throw new Unchecked('that data outlives a crash: see --restart')
    const acknowledged = times(50, callFor)
    for (const call of acknowledged) await expectAnswer(subscribe, 200, call)
    await restart()
    for (const call of acknowledged) await expectExists(true, call)
  })
})

const LOCAL_PART = newLocalPart()
/** Pairs of different enquiries that a backend with this mistake treats as the same. */
const NEAR_DUPLICATES: readonly (readonly [mistake: string, fields: Fields, otherFields: Fields])[] = [
  ['case', { '/msg': 'Hello' }, { '/msg': 'hello' }],
  ['accents', { '/name/last': 'Żółć' }, { '/name/last': 'Zolc' }],
  ['emoji', { '/msg': '😀' }, { '/msg': '😃' }],
  ['Unicode forms', { '/msg': 'é' }, { '/msg': 'e\u0301' }],
  ['line breaks', { '/msg': 'a\r\nb' }, { '/msg': 'a\nb' }],
  ['white space', { '/msg': 'a  b' }, { '/msg': 'a b' }],
  ['escapes', { '/msg': '&lt;b>' }, { '/msg': '<b>' }],
  ['the end of a long text', { '/msg': `${'a'.repeat(4999)}b` }, { '/msg': `${'a'.repeat(4999)}c` }],
  ['numbers', { '/name/first': '1e3' }, { '/name/first': '1000' }],
  ['names joined by a blank', { '/name': { first: 'a', last: 'b c' } }, { '/name': { first: 'a b', last: 'c' } }],
  ['names joined', { '/name': { first: 'a', last: 'bc' } }, { '/name': { first: 'ab', last: 'c' } }],
  ['case of the address', { '/email': `${LOCAL_PART}@example.com` }, { '/email': `${LOCAL_PART}@EXAMPLE.com` }],
  ['the address', {}, { '/email': newAddress() }],
  ['the first name', {}, { '/name/first': 'Other' }],
  ['the last name', {}, { '/name/last': 'Other' }],
  ['the message', {}, { '/msg': 'Other' }],
]

describe('contactUs', () => {
  const callFor = (body: unknown, key: string | null) =>
    callOf(contactUs, { body, headers: { 'idempotency-key': key } })
  const expectStatus = (status: Expected, call: Call) => expectAnswer(contactUs, status, call)
  const newEnquiry = (fields: Fields = {}) => [exampleOf(contactUs, fields), newKey()] as const
  const withOtherText = (enquiry: object) => withFields(enquiry, { '/msg': 'Another' })

  promise('a repeat with the same key and the same body is answered like the first', PARSED, async () => {
    const [enquiry, key] = newEnquiry({ '/msg': 'Grüße/😀' })
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(enquiry).reverse()), null, 2)
    const escapeOf = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
    const spellings = [reversed.replaceAll(/[^\s"{}:,]/g, escapeOf), JSON.stringify(enquiry).replaceAll('/', '\\/')]
    for (const body of [enquiry, enquiry, ...spellings]) await expectStatus(200, callFor(body, key))
    await expectStatus(200, callFor(enquiry, key.toUpperCase()))
    const call = callFor(...newEnquiry())
    await Promise.all(times(10, () => expectStatus(200, call)))
  })

  promise('Without the header every call is an enquiry of its own.', '', async () => {
    const [enquiry, key] = newEnquiry()
    for (const sentKey of [key, null, null]) await expectStatus(200, callFor(enquiry, sentKey))
  })

  for (const [title, refused] of REFUSALS) {
    const run = async () => {
      const [enquiry, key] = newEnquiry()
      const { status } = await expectStatus(REFUSED, refused(callFor(enquiry, key)))
      if (status !== 200) await expectStatus(200, callFor(withOtherText(enquiry), key))
    }
    promise('after an attempt that was refused or failed, the key is free for any body', PARSED, run, title)
  }

  promise('the same key with another body is refused with 422', PARSED, async () => {
    const [enquiry, key] = newEnquiry()
    await expectStatus(200, callFor(enquiry, key))
    for (const sentKey of [key, key.toUpperCase()]) await expectStatus(422, callFor(withOtherText(enquiry), sentKey))
    await expectStatus(200, callFor(enquiry, key))
  })

  for (const [mistake, fields, otherFields] of NEAR_DUPLICATES) {
    const run = async () => {
      const [enquiry, key] = newEnquiry()
      await expectStatus(200, callFor(withFields(enquiry, fields), key))
      await expectStatus(422, callFor(withFields(enquiry, otherFields), key))
    }
    promise(
      'Bodies are the same when their fields are equal after parsing, character by character.',
      PARSED,
      run,
      mistake,
    )
  }

  promise('Of two different bodies that come at once with one key, one is stored', STATEMENT, async () => {
    for (const [enquiry, key] of times(6, newEnquiry)) {
      const [firstCall, otherCall] = [callFor(enquiry, key), callFor(withOtherText(enquiry), key)]
      const answers = await Promise.all([firstCall, otherCall].map((call) => expectStatus([200, 422], call)))
      const statuses = answers.map(({ status }) => status).sort()
      if (`${statuses}` !== '200,422') fail(firstCall, answers[0], '200 and 422', statuses.join(' and '))
    }
  })

  promise(DURABLE, 'Answer after the commit is on disk.', async () => {
    if (calls.SETTINGS.restart === '') throw new Unchecked('that data outlives a crash: see --restart')
    const acknowledged = times(50, newEnquiry)
    for (const [enquiry, key] of acknowledged) await expectStatus(200, callFor(enquiry, key))
    await restart()
    for (const [enquiry, key] of acknowledged) await expectStatus(422, callFor(withOtherText(enquiry), key))
  })
})
