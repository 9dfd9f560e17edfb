import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CallOptions, inAscii, KEY_HEADER, newAddress, newKey } from './call.ts'
import { type Expect, Fault, faultOf, hasOutcome, KNOWN, NEW, type Outcome, type Rule, rule } from './expect-answer.ts'
import { REFUSALS } from './request-rules.ts'
import type { Settings } from './settings.ts'

/** Sends calls at once. Exactly one of them has the outcome `once`, the rest has `others`. */
async function expectOnce(expect: Expect, options: readonly CallOptions[], once: Outcome, others: Outcome) {
  const answers = await Promise.all(options.map((each) => expect(each, once, others)))
  const count = answers.filter((answer) => hasOutcome(answer, once)).length
  const text = `Expected ${once} for one of ${options.length} calls at once, got it for ${count}.`
  const calls = answers.map(({ call }) => call)
  if (count !== 1) throw faultOf(`${text} Repeat them with a new address or key.`, calls)
}

const withEmail = (email = newAddress()): CallOptions => ({ fields: { '/email': email } })
async function hidesKnown(expect: Expect, skip: (reason: string) => void): Promise<boolean> {
  const call = withEmail()
  await expect(call, NEW)
  const hides = hasOutcome(await expect(call, NEW, KNOWN), NEW)
  if (hides) skip('email_exists is always false')
  return hides
}

/** `proof`: the answer to a repeated call, if the first call is stored. */
const crashes = ({ restart }: Settings, make: () => CallOptions, proof: Outcome): Rule =>
  rule({ id: 'crashes', title: 'what was answered is on disk' }, async (expect, skip) => {
    if (!restart) return skip('see --restart')
    if (proof === KNOWN && (await hidesKnown(expect, skip))) return
    const calls = Array.from({ length: 50 }, () => make())
    for (const call of calls) await expect(call, 200)
    const { status } = spawnSync(restart, { shell: true, stdio: 'ignore', timeout: 60_000 })
    if (status !== 0) throw new Fault(`This command has to exit with 0 within 60 seconds. Try it alone: ${restart}`)
    const isUp = () => expect({ path: '/api/more' }, 404).then(Boolean, () => false)
    for (let tries = 0; tries < 600 && !(await isUp()); tries++) await sleep(100)
    for (const call of calls) await expect(call, proof)
  })

/** `first`: the answer to the corrected call, if the refused call has stored nothing. */
const refusedCalls = (make: () => CallOptions, first: Outcome): Rule =>
  rule({ id: 'refused-calls', title: 'nothing of a refused call is stored, not even its key' }, async (expect) => {
    for (const { status, options } of REFUSALS) {
      const [own, { fields, headers }] = [make(), options]
      const refused = { ...options, fields: { ...own.fields, ...fields }, headers: { ...own.headers, ...headers } }
      await expect(refused, status)
      await expect(own, first)
    }
  })

export const subscriptionRules = (settings: Settings): readonly Rule[] => [
  refusedCalls(withEmail, NEW),
  rule({ id: 'one-address', title: 'only the case of ASCII letters may differ; one is new' }, async (expect, skip) => {
    const start = newAddress('')
    for (const end of ['a@', 'a.b@', 'ab@', 'a+b@', 'a_b@', 'a%b@', 'a.b@b.'])
      await expect(withEmail(`${start}${end}example.com`), NEW)
    if (await hidesKnown(expect, skip)) return
    const address = `${start}abcdefghijklmnopqrstuvwxyzABC@Example.com`
    await expect(withEmail(address), NEW)
    for (const same of [address.toUpperCase(), address.toLowerCase()]) await expect(withEmail(same), KNOWN)
    for (let round = 0; round < 4; round++) await expectOnce(expect, Array(10).fill(withEmail()), NEW, KNOWN)
  }),
  crashes(settings, withEmail, KNOWN),
]

/** With an address it is one enquiry. Without, each call has a new address, and so another body with the same key. */
const withKey = (key = newKey(), fields: CallOptions['fields'] = {}): CallOptions => ({
  fields,
  headers: { [KEY_HEADER]: key },
})
const inReverse = (fields: object) => JSON.stringify(Object.fromEntries(Object.entries(fields).reverse()))

const ADDRESS = newAddress()
/** Pairs of different enquiries that some backends treat as the same. */
const NEAR_DUPLICATES = [
  { fields: { '/msg': 'Hello' }, others: { '/msg': 'hello' } },
  { fields: { '/name/last': 'Żółć' }, others: { '/name/last': 'Zolc' } },
  { fields: { '/msg': `${'a'.repeat(4999)}b` }, others: { '/msg': `${'a'.repeat(4999)}c` } },
  { fields: { '/name': { first: 'a', last: 'b c' } }, others: { '/name': { first: 'a b', last: 'c' } } },
  { fields: {}, others: { '/email': newAddress() } },
  { fields: { '/email': ADDRESS }, others: { '/email': ADDRESS.toUpperCase() } },
  ...['/name/first', '/name/last', '/msg'].map((pointer) => ({ fields: {}, others: { [pointer]: 'Other' } })),
]

export const enquiryRules = (settings: Settings): readonly Rule[] => [
  refusedCalls(withKey, 200),
  rule({ id: 'same-key', title: 'equal fields get the same answer; without a key all are new' }, async (expect) => {
    const [key, fields] = [newKey(), { '/email': newAddress(), '/msg': 'Grüße/😀' }]
    const own = withKey(key, fields)
    const inOtherForms = [inReverse, inAscii].map((write) => ({ ...own, write }))
    for (const same of [own, ...inOtherForms, withKey(key.toUpperCase(), fields)]) await expect(same, 200)
    const atOnce = withKey(newKey(), { '/email': newAddress() })
    await Promise.all(Array.from({ length: 10 }, () => expect(atOnce, 200)))
    for (let times = 0; times < 2; times++) await expect({ fields }, 200)
  }),
  rule({ id: 'other-fields', title: 'with the same key they are refused, to the letter' }, async (expect) => {
    for (const { fields, others } of NEAR_DUPLICATES) {
      const [key, own] = [newKey(), { '/email': newAddress(), ...fields }]
      await expect(withKey(key, own), 200)
      await expect(withKey(key.toUpperCase(), { ...own, ...others }), 422)
      await expect(withKey(key, own), 200)
    }
  }),
  rule({ id: 'races', title: 'of two enquiries at once with one key one is stored' }, async (expect) => {
    for (let round = 0; round < 6; round++) await expectOnce(expect, Array(2).fill(withKey()), 200, 422)
  }),
  crashes(settings, withKey, 422),
]
