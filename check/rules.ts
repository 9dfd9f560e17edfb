import { execSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Operation } from '../contract/operations.ts'
import { decodePercents } from '../src/domain/percents.ts'
import { type expectAnswer, KNOWN, NEW, type Outcome, says, tokenIn } from './answer.ts'
import { type Change, KEY, newAddress, newKey, newLocalPart } from './call.ts'
import { origin, restart } from './settings.ts'

/** Sends a call. Fails unless one of the outcomes comes back. Without outcomes the schemas decide: 200 or 422. */
export type Expect = (change: Change, ...outcomes: Outcome[]) => ReturnType<typeof expectAnswer>
/** Rules in words, each with the calls that show it. A rule that can't be checked is skipped, with a reason. */
export type Rules = Readonly<Record<string, (expect: Expect, skip: (reason: string) => void) => Promise<void>>>

/** The largest body that is accepted. */
const LIMIT = 65_536
const CHUNKED = { 'transfer-encoding': 'chunked' }
const withToken = (cookie: string, token: string | null): Change => ({
  headers: { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': token },
})
const WRONG_TOKEN = withToken('one', 'two')

/** A call for each way to refuse one. */
const REFUSALS: readonly { readonly call: Change; readonly status: number }[] = [
  { call: { path: '/api/more' }, status: 404 },
  { call: { method: 'PUT' }, status: 405 },
  { call: { headers: { 'content-type': 'text/plain' } }, status: 415 },
  { call: { edit: (json) => json.padEnd(LIMIT + 1) }, status: 413 },
  { call: { edit: (json) => `${json}x` }, status: 400 },
  { call: { edit: (json) => json.replace(/}$/, ',"more":1}') }, status: 422 },
]

/** The rules of both operations. */
function commonRules({ path, parts }: Operation): Rules {
  const pointers = [...parts.keys()].filter((pointer) => pointer !== '')
  const objects = [...parts].flatMap(([pointer, { properties }]) => (properties ? [pointer] : []))
  const leaves = pointers.filter((pointer) => !objects.includes(pointer))
  const texts = leaves.filter((pointer) => pointer !== '/email')
  return {
    async 'first call: the URL has /api below it, and the example of openapi.yaml is stored'(expect) {
      await expect({}, 200)
    },
    async 'refusals: each has its status and a problem document; after it the connection takes the next call'(expect) {
      for (const refusal of REFUSALS) await expect(refusal.call, refusal.status)
      await expect({ edit: () => '{}' }, 422)
      await expect({ fields: { '/email': 'plain text' } }, 422)
      await expect({ method: 'HEAD' }, 405)
      await expect({}, 200)
    },
    async 'own origin: it is that of --origin, which visitors see; a proxy may change Host and Origin'(expect) {
      const browser = { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin' }
      await expect({ headers: browser }, 200)
      await expect({ headers: { ...browser, 'sec-fetch-site': null } }, 200)
      await expect({ headers: { ...browser, origin: 'http://backend.internal:8080' } }, 200)
    },
    async 'request type: JSON in UTF-8 alone, without encoding; a form of another site can send text/plain'(expect) {
      for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8'])
        await expect({ headers: { 'content-type': `application/json; charset=${charset}` } }, 200)
      const others = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']
      for (const type of [null, ...others, 'application/problem+json', 'application/json; charset=iso-8859-1'])
        await expect({ headers: { 'content-type': type } }, 415)
      await expect({ headers: { 'content-encoding': 'identity' } }, 200)
      await expect({ edit: gzipSync, headers: { 'content-encoding': 'gzip' } }, 415)
    },
    async '64 KiB: 65,536 bytes are taken, also in chunks; of more the rest is read, or the 413 gets lost'(expect) {
      for (const pointer of texts) await expect({ fields: { [pointer]: 'гавань 港'.repeat(9) }, headers: CHUNKED }, 200)
      for (const headers of [{}, CHUNKED]) {
        await expect({ edit: (json) => json.padEnd(LIMIT), headers }, 200)
        await expect({ edit: (json) => json.padEnd(LIMIT + 1), headers }, 413)
      }
    },
    async 'strict JSON: strict UTF-8, RFC 8259 and no lone surrogates; of equal names the last counts, or 400'(expect) {
      for (const text of ['', 'email=a', '{"email":NaN}', '{"email":"a\tb"}']) await expect({ edit: () => text }, 400)
      await expect({ edit: (json) => json.replace('}', ',}') }, 400)
      await expect({ edit: (json) => `\ufeff${json}` }, 400)
      await expect({ edit: (json) => Buffer.from(json, 'utf16le') }, 400)
      await expect({ edit: (json) => Buffer.from(json.replace('@', 'é@'), 'latin1') }, 400)
      await expect({ edit: (json) => json.replace('"email"', '"email":0,"email"') }, 200, 400)
      await expect({ edit: (json) => json.replace(/"email":"[^"]*"/, '$&,"email":0') }, 400, 422)
      await expect({ edit: () => '['.repeat(20_000) + ']'.repeat(20_000) }, 400, 422)
      await expect({ edit: () => '{"email":1e999}' }, 400, 422)
      for (const pointer of texts) await expect({ fields: { [pointer]: 'a\ud800b' } }, 400, 422)
    },
    async 'fields: types are not converted; missing and unknown fields are refused, __proto__ too'(expect) {
      for (const body of ['null', '[]', '"text"', '{}']) await expect({ edit: () => body })
      for (const value of [null, 5, true, 'text', [], [newAddress()], undefined])
        for (const pointer of pointers) await expect({ fields: { [pointer]: value } })
      for (const pointer of objects)
        for (const name of ['more', 'Email', '__proto__']) await expect({ fields: { [`${pointer}/${name}`]: 'a' } })
      await expect({ fields: Object.fromEntries(leaves.map((pointer) => [pointer, ''])) })
    },
    async 'addresses: the pattern of openapi.yaml decides, on the whole text; libraries differ from it'(expect) {
      const starts = ['', 'plain', '@example.com', ` ${newAddress()}`, `"${newLocalPart()}"@example.com`]
      const ends = ["!#$%&'*+-/=?^_`{|}~@example.com", '@a--b.1.example.com', '@', '@example', '@a..example.com']
        .concat('@a_b.example.com', '@-a.example.com', '@example.com.', '@a@example.com', ' b@example.com')
        .concat('ä@example.com', '@bücher.example.com', '@[127.0.0.1]', '@example.com\n')
        .map((end) => newLocalPart() + end)
      /** The longest address has 64 characters, the @, and these 189. */
      const domain = `${'d'.repeat(57)}.${'d'.repeat(63)}.${'d'.repeat(63)}.com`
      const long = [`@${domain}`, `@a${domain}`].map((end) => newLocalPart().padEnd(64, 'a') + end)
      for (const email of [...starts, ...ends, ...long, newAddress().padStart(78, 'a')])
        await expect({ fields: { '/email': email } })
    },
    async 'texts: count code points, refuse white space around a text, and filter, fold or normalise nothing'(expect) {
      for (const pointer of texts)
        await expect({ fields: { [pointer]: '😀' }, edit: (json) => json.replace('😀', '\\ud83d\\ude00') }, 200)
      const right = ['Ñandú Όνομα שם اسم ชื่อ 名前 ስም 𐌽𐌰', '👩‍🚒 🇩🇪 👍🏽', `O'Ab-"\\</script> ' OR 1=1; --`, 'null', '0']
      const white = [' ', '\n', '\u00a0', '\u3000', '\ufeff'].flatMap((space) => [space, `${space}a`, `a${space}`])
      const controls = ['a\r\n\tb', 'a\nb', 'a\0b', 'a\u007fb', 'a\u0085b', 'a\u2028b']
      for (const pointer of texts) {
        const { maxLength = 0 } = parts.get(pointer) ?? {}
        const long = [0, 1, maxLength, maxLength + 1].flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)])
        for (const text of [...long, ...right, ...white, ...controls]) await expect({ fields: { [pointer]: text } })
      }
    },
    async 'paths and methods: each other method is a 405, all else below /api a 404; a query is ignored'(expect) {
      await expect({ path: `${path}?more=1` }, 200)
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) await expect({ method }, 405)
      for (const other of [`${path}/more`, '/api', `${path}/`, path.toUpperCase().replace('/API', '/api')])
        for (const method of ['POST', 'GET']) await expect({ method, path: other }, 404)
    },
    async 'key format: a UUID of every version, in any case; an empty header is a wrong key'(expect) {
      const key = newKey()
      const versions = [1, 7].map((version) => key.replace(/(?<=^.{14})./, `${version}`))
      for (const value of [...versions, '', `${key}0`, key.replaceAll('-', ''), 'no'])
        await expect({ headers: { [KEY]: value } })
      await expect({ fields: { '/email': '' }, headers: { [KEY]: 'no' } })
    },
    async 'right tokens: one cookie XSRF-TOKEN, URI-decoded once, equals the header; an empty one needs none'(expect) {
      await expect(withToken('', null), 200)
      for (const token of ['one', 'two']) await expect(withToken('one; XSRF-TOKEN=two', token), 200)
      await expect(withToken('a%2Fb', 'a/b'), 200)
      await expect(withToken('%zz', '%zz'), 200) // It can't be decoded.
      await expect(withToken('a+b==', 'a+b=='), 200) // As Base64 ends.
    },
    async 'wrong tokens: 403 with a random cookie, which the next call of this visitor alone may use'(expect, skip) {
      const first = tokenIn(await expect({}, 200))
      const refused = await expect(WRONG_TOKEN, 403, 200)
      const [mine, theirs] = [tokenIn(refused), tokenIn(await expect(WRONG_TOKEN, 403, 200))]
      if (refused.status === 200 && !first && !mine) return skip('the backend sets no cookie XSRF-TOKEN')
      for (const token of ['two', null, 'ONE', 'on', 'ones']) await expect(withToken('one', token), 403)
      await expect(withToken(mine, decodePercents(mine)), 200)
      await expect(withToken(mine, decodePercents(theirs)), 403)
    },
  }
}

/** Sends calls at once. Exactly one brings the first outcome, all others the second one. */
async function expectOnce(expect: Expect, calls: readonly Change[], once: Outcome, others: Outcome) {
  const answers = await Promise.all(calls.map((call) => expect(call, once, others)))
  const count = answers.filter((answer) => says(answer, once)).length
  const text = `Expected ${once} for one of ${calls.length} calls at once, got it for ${count}: ${inspect(calls[0])}`
  if (count !== 1) throw new Error(text)
}

const subscription = (email = newAddress()): Change => ({ fields: { '/email': email } })
const HIDES = 'email_exists is always false'
async function hidesKnown(expect: Expect): Promise<boolean> {
  const call = subscription()
  await expect(call, NEW)
  return says(await expect(call, NEW, KNOWN), NEW)
}

/** `proof` is what a repeated call brings only if the first one is stored. */
const crashes = (make: () => Change, proof: Outcome): Rules => ({
  async 'crashes: what was answered is on disk'(expect, skip) {
    if (!restart) return skip('see --restart')
    if (proof === KNOWN && (await hidesKnown(expect))) return skip(HIDES)
    const calls = Array.from({ length: 50 }, () => make())
    for (const call of calls) await expect(call, 200)
    execSync(restart, { stdio: 'ignore', timeout: 60_000 })
    const isUp = () => expect({ path: '/api/more' }, 404).then(Boolean, () => false)
    for (let tries = 0; tries < 600 && !(await isUp()); tries++) await sleep(100)
    for (const call of calls) await expect(call, proof)
  },
})

const subscribe: Rules = {
  async 'refused calls: nothing of them is stored, so check all before you store'(expect) {
    for (const refusal of REFUSALS) {
      const own = subscription()
      await expect({ ...own, ...refusal.call }, refusal.status)
      await expect(own, NEW)
    }
  },
  async 'one address: only the case of ASCII letters may differ; of equal calls at once one is new'(expect, skip) {
    const start = newLocalPart()
    for (const end of ['a@', 'a.b@', 'ab@', 'a+b@', 'a_b@', 'a%b@', 'a.b@b.'])
      await expect(subscription(`${start}${end}example.com`), NEW)
    if (await hidesKnown(expect)) return skip(HIDES)
    const address = `${start}abcdefghijklmnopqrstuvwxyzABC@Example.com`
    await expect(subscription(address), NEW)
    for (const same of [address.toUpperCase(), address.toLowerCase()]) await expect(subscription(same), KNOWN)
    for (let round = 0; round < 4; round++) await expectOnce(expect, Array(10).fill(subscription()), NEW, KNOWN)
  },
  ...crashes(subscription, KNOWN),
}

/** With fields it is one enquiry. Without them each call has a new address, and so another body with the same key. */
const withKey = (key = newKey(), fields: Change['fields'] = {}): Change => ({ fields, headers: { [KEY]: key } })

/** Pairs of different enquiries that some backends treat as the same. */
const NEAR_DUPLICATES = [
  { fields: { '/msg': 'Hello' }, others: { '/msg': 'hello' } },
  { fields: { '/name/last': 'Żółć' }, others: { '/name/last': 'Zolc' } },
  { fields: { '/msg': `${'a'.repeat(4999)}b` }, others: { '/msg': `${'a'.repeat(4999)}c` } },
  { fields: { '/name': { first: 'a', last: 'b c' } }, others: { '/name': { first: 'a b', last: 'c' } } },
  { fields: {}, others: { '/email': newAddress() } },
  ...['/name/first', '/name/last', '/msg'].map((pointer) => ({ fields: {}, others: { [pointer]: 'Other' } })),
]

const contactUs: Rules = {
  async 'same key: equal fields get the same answer, in another form of JSON and with the key in capitals too'(expect) {
    const key = newKey()
    const fields = { '/email': newAddress(), '/msg': 'Grüße/😀' }
    const own = withKey(key, fields)
    const reversed = (json: string) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).reverse()))
    const escaped = (json: string) => json.replaceAll('ü', '\\u00fc').replaceAll('/', '\\/')
    for (const same of [own, { ...own, edit: reversed }, { ...own, edit: escaped }, withKey(key.toUpperCase(), fields)])
      await expect(same, 200)
    const atOnce = withKey(newKey(), { '/email': newAddress() })
    await Promise.all(Array.from({ length: 10 }, () => expect(atOnce, 200)))
    await expect({ fields }, 200) // Without a key it is an enquiry of its own.
    await expect({ fields }, 200)
  },
  async 'other fields: they are refused with the same key; compare field by field, to the letter'(expect) {
    for (const { fields, others } of NEAR_DUPLICATES) {
      const [key, own] = [newKey(), { '/email': newAddress(), ...fields }]
      await expect(withKey(key, own), 200)
      await expect(withKey(key.toUpperCase(), { ...own, ...others }), 422)
      await expect(withKey(key, own), 200)
    }
  },
  async 'free keys: a refused call uses up no key, so store key and enquiry in one statement'(expect) {
    for (const { call, status } of REFUSALS) {
      const own = withKey()
      await expect({ ...call, headers: { ...own.headers, ...call.headers } }, status)
      await expect(own, 200)
    }
  },
  async 'races: of two bodies at once with one key one is stored, so insert with on conflict do nothing'(expect) {
    for (let round = 0; round < 6; round++) await expectOnce(expect, Array(2).fill(withKey()), 200, 422)
  },
  ...crashes(withKey, 422),
}

export const rulesOf = (operation: Operation): Rules => ({
  ...commonRules(operation),
  ...(operation.name === 'subscribe' ? subscribe : contactUs),
})
