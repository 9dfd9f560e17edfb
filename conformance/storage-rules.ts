import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallOptions, escaped, KEY_HEADER, newAddress, newKey } from './call.ts'
import { isExpected } from './expect-answer.ts'
import { createFault, Fault } from './fault.ts'
import { REFUSED_CALLS } from './request-rules.ts'
import { ANSWERED_KNOWN, ANSWERED_NEW, type Expect, type Expected, type Rule, rule } from './rule.ts'
import type { Target } from './target.ts'

/** Sends all calls together. Exactly one of them must get the answer `one`. All others must get the answer `others`. */
async function expectExactlyOne(expect: Expect, options: readonly CallOptions[], one: Expected, others: Expected) {
  const answers = await Promise.all(options.map((each) => expect(each, one, others)))
  const count = answers.filter((answer) => isExpected(answer, one)).length
  const text = `Of ${options.length} calls sent together, exactly 1 must get ${one}, but ${count} got this answer.`
  const cause = count > 1 ? ' Let a unique key of the table decide, not a select before the insert.' : ''
  const calls = answers.map(({ call }) => call)
  if (count !== 1) throw createFault(`${text}${cause} To repeat the calls, give them a new address or key.`, calls)
}

const withEmail = (email = newAddress()): CallOptions => ({ fields: { '/email': email } })

/** If the backend always answers `email_exists: false`, skips the rule, which needs `email_exists: true`, and returns true. */
async function skipIfNeverRevealed(expect: Expect, skip: (reason: string) => void): Promise<boolean> {
  const calls = Array.from({ length: 8 }, () => withEmail())
  for (const call of calls) await expect(call, ANSWERED_NEW)
  const repeats = await Promise.all(calls.map((call) => expect(call, ANSWERED_NEW, ANSWERED_KNOWN)))
  const [lost, ...others] = repeats.filter((answer) => isExpected(answer, ANSWERED_NEW))
  const hides = others.length === calls.length - 1
  if (hides) skip("email_exists is always false, so the check can't see whether addresses are stored")
  else if (lost) throw createFault('An address was not stored: email_exists is false each time.', [lost.call])
  return hides
}

/** `answerIfStored` is the answer to a repeated call if the first call is still stored after the crash. */
const crashRule = ({ restart }: Target, newCall: () => CallOptions, answerIfStored: Expected): Rule =>
  rule(
    { id: 'crashes', title: 'after a crash, all that was answered with 200 is still stored' },
    async (expect, skip) => {
      if (!restart) return skip("without the option --restart the check can't see what a crash loses")
      if (answerIfStored === ANSWERED_KNOWN && (await skipIfNeverRevealed(expect, skip))) return
      const calls = Array.from({ length: 50 }, () => newCall())
      for (const call of calls) await expect(call, 200)
      const { status } = spawnSync(restart, { shell: true, stdio: 'ignore', timeout: 60_000 })
      if (status !== 0)
        throw new Fault(`The command of --restart has to exit with 0 within 60 seconds. Try it alone: ${restart}`)
      // An unknown path: any complete 404 says that the backend is up again.
      const isUp = () => expect({ path: '/api/more' }, 404).then(Boolean, () => false)
      for (let tries = 0; tries < 600 && !(await isUp()); tries++) await sleep(100)
      for (const call of calls) await expect(call, answerIfStored)
    },
  )

/** `answerIfNew` is the answer to the corrected call if the refused call has stored nothing. */
const refusedCallsRule = (newCall: () => CallOptions, answerIfNew: Expected): Rule =>
  rule({ id: 'refused-calls', title: 'a refused call stores nothing, not even its key' }, async (expect) => {
    for (const { status, options } of REFUSED_CALLS) {
      const [corrected, { fields, headers }] = [newCall(), options]
      const wrong = { fields: { ...corrected.fields, ...fields }, headers: { ...corrected.headers, ...headers } }
      const { call: after } = await expect({ ...options, ...wrong }, status)
      await expect({ ...corrected, after }, answerIfNew)
    }
  })

export const subscriptionRules = (target: Target): readonly Rule[] => [
  refusedCallsRule(withEmail, ANSWERED_NEW),
  rule({ id: 'one-address', title: 'an address is new only once, in any case' }, async (expect, skip) => {
    const start = newAddress('')
    // Similar addresses that belong to different visitors.
    for (const end of ['a@', 'a.b@', 'ab@', 'a+b@', 'a_b@', 'a%b@', 'a.b@b.'])
      await expect(withEmail(`${start}${end}example.com`), ANSWERED_NEW)
    if (await skipIfNeverRevealed(expect, skip)) return
    const address = `${start}abcdefghijklmnopqrstuvwxyzABC@Example.com`
    const { call: after } = await expect(withEmail(address), ANSWERED_NEW)
    for (const same of [address.toUpperCase(), address.toLowerCase()])
      await expect({ ...withEmail(same), after }, ANSWERED_KNOWN)
    for (let round = 0; round < 4; round++)
      await expectExactlyOne(expect, Array(10).fill(withEmail()), ANSWERED_NEW, ANSWERED_KNOWN)
  }),
  crashRule(target, withEmail, ANSWERED_KNOWN),
]

/**
 * An enquiry with a key. If `fields` has no '/email', the enquiry gets a new address each time that it is sent. So sending
 * it twice gives two different enquiries with one key.
 */
const withKey = (key = newKey(), fields: CallOptions['fields'] = {}): CallOptions => ({
  fields,
  headers: { [KEY_HEADER]: key },
})
const inReverse = (fields: object) => JSON.stringify(Object.fromEntries(Object.entries(fields).reverse()))

const ADDRESS = newAddress()
/** Pairs of different enquiries that a backend might wrongly treat as equal. `others` are the fields that differ. */
const NEAR_DUPLICATES = [
  { fields: { '/msg': 'Hello' }, others: { '/msg': 'hello' } },
  { fields: { '/name/last': 'Żółć' }, others: { '/name/last': 'Zolc' } },
  { fields: { '/msg': `${'a'.repeat(4999)}b` }, others: { '/msg': `${'a'.repeat(4999)}c` } },
  { fields: { '/name': { first: 'a', last: 'b c' } }, others: { '/name': { first: 'a b', last: 'c' } } },
  { fields: {}, others: { '/email': newAddress() } },
  { fields: { '/email': ADDRESS }, others: { '/email': ADDRESS.toUpperCase() } },
  ...['/name/first', '/name/last', '/msg'].map((pointer) => ({ fields: {}, others: { [pointer]: 'Other' } })),
]

export const enquiryRules = (target: Target): readonly Rule[] => [
  refusedCallsRule(withKey, 200),
  rule({ id: 'same-key', title: 'a repeated enquiry is accepted, with its key or without one' }, async (expect) => {
    const [key, fields] = [newKey(), { '/email': newAddress(), '/msg': 'Grüße/😀' }]
    const call = withKey(key, fields)
    const inOtherForms = [inReverse, escaped].map((write) => ({ ...call, write }))
    for (const same of [call, ...inOtherForms, withKey(key.toUpperCase(), fields)]) await expect(same, 200)
    const atOnce = withKey(newKey(), { '/email': newAddress() })
    await Promise.all(Array.from({ length: 10 }, () => expect(atOnce, 200)))
    for (let times = 0; times < 2; times++) await expect({ fields }, 200)
  }),
  rule({ id: 'other-fields', title: 'another enquiry with a used key is refused' }, async (expect) => {
    for (const { fields, others } of NEAR_DUPLICATES) {
      const [key, own] = [newKey(), { '/email': newAddress(), ...fields }]
      const { call: after } = await expect(withKey(key, own), 200)
      await expect({ ...withKey(key.toUpperCase(), { ...own, ...others }), after }, 422)
      await expect(withKey(key, own), 200)
    }
  }),
  rule(
    { id: 'races', title: 'if two different enquiries with one key arrive together, one is stored' },
    async (expect) => {
      for (let round = 0; round < 6; round++) await expectExactlyOne(expect, Array(2).fill(withKey()), 200, 422)
    },
  ),
  // A repeated call has the same key and another address, so it is refused.
  crashRule(target, withKey, 422),
]
