import { gzipSync } from 'node:zlib'
import { isValid } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { MAX_BODY_BYTES } from '../src/domain/enquiry-fields.ts'
import { uriDecode } from '../src/domain/uri-decoding.ts'
import { type CallOptions, escaped, KEY_HEADER, newAddress, newKey, paddedTo } from './call.ts'
import { tokenIn } from './expect-answer.ts'
import { type Rule, rule } from './rule.ts'
import type { Target } from './target.ts'

const json = JSON.stringify
const CHUNKED = { 'transfer-encoding': 'chunked' }
const withType = (type: string | null): CallOptions => ({ headers: { 'content-type': type } })
const withToken = (cookie: string, token: string | null): CallOptions => ({
  headers: { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': token },
})
const WRONG_TOKEN = withToken('one', 'two')

/** One call for each status with which every backend refuses calls. The statuses 403 and 429 are not in the list. */
export const REFUSED_CALLS: readonly { readonly status: number; readonly options: CallOptions }[] = [
  { status: 404, options: { path: '/api/more' } },
  { status: 405, options: { method: 'PUT' } },
  { status: 415, options: withType('text/plain') },
  { status: 413, options: { write: paddedTo(MAX_BODY_BYTES + 1) } },
  { status: 400, options: { write: (fields) => `${json(fields)}x` } },
  { status: 422, options: { fields: { '/more': 1 } } },
]

/** Types that mean JSON in UTF-8. Parameters other than `charset` are ignored, however they are written. */
const RIGHT_TYPES = [
  '; charset=utf-8',
  ';Charset=UTF-8',
  '; charset="utf-8"',
  '; boundary=x; charset=utf8',
  ' ; v=1',
  '',
]
  .concat('; a="charset=x; charset=x"', '; a="\\"; charset=x"; b="1"')
  .map((parameters) => `Application/json${parameters}`)
/** No type, types that a form of another site can send, and types that are almost right. */
const WRONG_TYPES = [null, 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'].concat(
  'application/problem+json',
  'application/json-patch+json',
  'application/json; v=1; charset=iso-8859-1',
)

/** With 64 characters before the @, an address with this domain of 189 characters has the maximal length of 254. */
const LONG_DOMAIN = `${'d'.repeat(57)}.${'d'.repeat(63)}.${'d'.repeat(63)}.com`
const ADDRESS_ENDS = ["!#$%&'*+-/=?^_`{|}~@example.com", '@a--b.1.example.com', '@', '@example', '@a..example.com']
  .concat('@a_b.example.com', '@-a.example.com', '@example.com.', '@a@example.com', ' b@example.com', '@example.com\n')
  .concat('ä@example.com', '@bücher.example.com', '@[127.0.0.1]')

/** More unknown fields than the 20 that an answer may name. */
const MANY_UNKNOWN_FIELDS = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`/more${index}`, 'a']))

const TEXTS = ['Ñandú Όνομα שם اسم ชื่อ 名前 ስም 𐌽𐌰', '👩‍🚒 🇩🇪 👍🏽', `O'Ab-"\\</script> ' OR 1=1; --`, 'null', '0']
  .concat([' ', '\n', '\u00a0', '\u3000', '\ufeff'].flatMap((space) => [space, `${space}a`, `a${space}`]))
  .concat('a\r\n\tb', 'a\nb', 'a\0b', 'a\u007fb', 'a\u0085b', 'a\u2028b')

/** The rules for both operations: which requests a backend accepts, and how it refuses all others. */
export function requestRules({ origin }: Target, { path, schemas }: Operation): readonly Rule[] {
  const pointers = [...schemas.keys()].filter((pointer) => pointer !== '')
  const objects = [...schemas].flatMap(([pointer, { properties }]) => (properties ? [pointer] : []))
  const leaves = pointers.filter((pointer) => !objects.includes(pointer))
  /** The fields that accept any text. Email addresses and enums are left out. */
  const texts = leaves.filter((pointer) => isValid(schemas.get(pointer) ?? {}, 'text'))
  return [
    rule({ id: 'first-call', title: 'a POST of the example is accepted', neededByAll: true }, async (expect) => {
      await expect({}, 200)
    }),
    rule({ id: 'refusals', title: 'each refusal is a problem document', neededByAll: true }, async (expect) => {
      for (const { status, options } of REFUSED_CALLS) await expect(options, status)
      await expect({ write: () => '{}' }, 422)
      await expect({ fields: { '/email': 'plain text' } }, 422)
      await expect({ method: 'HEAD' }, 405)
      await expect({}, 200)
    }),
    rule({ id: 'own-origin', title: 'calls from the page, whose origin is --origin, are accepted' }, async (expect) => {
      const browser = { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin' }
      await expect({ headers: browser }, 200)
      await expect({ headers: { ...browser, 'sec-fetch-site': null } }, 200)
      // `sec-fetch-site` says that the page made the call. Then any origin is right.
      await expect({ headers: { ...browser, origin: 'http://backend.internal:8080' } }, 200)
    }),
    rule({ id: 'request-type', title: 'only JSON in UTF-8, without an encoding, is accepted' }, async (expect) => {
      for (const type of RIGHT_TYPES) await expect(withType(type), 200)
      await expect(withType('application/json; charset=utf-8; charset=iso-8859-1'), 200, 415)
      for (const type of WRONG_TYPES) await expect(withType(type), 415)
      for (const none of ['identity', 'Identity']) await expect({ headers: { 'content-encoding': none } }, 200)
      await expect({ write: (fields) => gzipSync(json(fields)), headers: { 'content-encoding': 'gzip' } }, 415)
    }),
    rule({ id: 'size', title: 'up to 65,536 bytes are accepted, also in chunks' }, async (expect) => {
      for (const pointer of texts) {
        const text = 'гавань港'.repeat(9).slice(0, schemas.get(pointer)?.maxLength)
        await expect({ fields: { [pointer]: text }, headers: CHUNKED }, 200)
      }
      for (const headers of [{}, CHUNKED]) {
        await expect({ write: paddedTo(MAX_BODY_BYTES), headers }, 200)
        await expect({ write: paddedTo(MAX_BODY_BYTES + 1), headers }, 413)
      }
    }),
    rule({ id: 'strict-json', title: 'only JSON of RFC 8259 in valid UTF-8 is accepted' }, async (expect) => {
      for (const text of ['', 'email=a', '{"email":NaN}', '{"email":"a\tb"}']) await expect({ write: () => text }, 400)
      await expect({ write: (fields) => `${json(fields).slice(0, -1)},}` }, 400)
      await expect({ write: (fields) => `\ufeff${json(fields)}` }, 400)
      await expect({ write: (fields) => Buffer.from(json(fields), 'utf16le') }, 400)
      await expect({ write: (fields) => Buffer.from(json({ ...fields, email: 'é@example.com' }), 'latin1') }, 400)
      // If two fields have the same name, the last one counts, or the body is refused.
      await expect({ write: (fields) => `{"email":0,${json(fields).slice(1)}` }, 200, 400)
      await expect({ write: (fields) => `${json(fields).slice(0, -1)},"email":0}` }, 400, 422)
      await expect({ write: () => '['.repeat(20_000) + ']'.repeat(20_000) }, 400, 422)
      await expect({ write: () => '{"email":1e999}' }, 400, 422)
      for (const pointer of texts) await expect({ fields: { [pointer]: 'a\ud800b' } }, 400, 422)
    }),
    rule({ id: 'fields', title: 'missing and unknown fields and wrong types are refused' }, async (expect) => {
      for (const body of ['null', '[]', '"text"', '{}']) await expect({ write: () => body })
      for (const value of [null, 5, true, 'text', [], [newAddress()], undefined])
        for (const pointer of pointers) await expect({ fields: { [pointer]: value } })
      for (const name of ['more', 'Email', '__proto__', 'more'.repeat(15_000)])
        for (const pointer of objects) await expect({ fields: { [`${pointer}/${name}`]: 'a' } })
      await expect({ write: (fields) => json({ ...fields, 'a/b~c': 'a' }) })
      await expect({ fields: MANY_UNKNOWN_FIELDS, headers: { [KEY_HEADER]: 'no' } })
      await expect({ fields: Object.fromEntries(leaves.map((pointer) => [pointer, ''])) })
    }),
    rule({ id: 'addresses', title: 'an address is accepted only if all of it matches the pattern' }, async (expect) => {
      const starts = ['', 'plain', '@example.com', ` ${newAddress()}`, `"${newAddress('"@example.com')}`]
      const long = [`@${LONG_DOMAIN}`, `@a${LONG_DOMAIN}`].map((end) => newAddress('').padEnd(64, 'a') + end)
      const others = ADDRESS_ENDS.map((end) => newAddress(end))
      for (const email of [...starts, ...long, ...others, newAddress().padStart(78, 'a')])
        await expect({ fields: { '/email': email } })
    }),
    rule({ id: 'texts', title: 'texts are checked as sent, and counted in code points' }, async (expect) => {
      for (const pointer of texts) {
        await expect({ fields: { [pointer]: '😀' }, write: escaped }, 200)
        const { maxLength = 0 } = schemas.get(pointer) ?? {}
        const long = [0, 1, maxLength, maxLength + 1].flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)])
        for (const text of [...long, ...TEXTS]) await expect({ fields: { [pointer]: text } })
      }
    }),
    rule({ id: 'paths', title: 'another method gets 405, another path 404; a query is ignored' }, async (expect) => {
      await expect({ path: `${path}?more=1` }, 200)
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'REPORT']) await expect({ method }, 405)
      for (const other of [`${path}/more`, '/api', `${path}/`, path.toUpperCase().replace('/API', '/api')])
        for (const method of ['POST', 'GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
          await expect({ method, path: other }, 404)
    }),
    rule({ id: 'key-format', title: 'a key is a UUID of any version, in any case' }, async (expect) => {
      const key = newKey()
      const versions = [1, 7].map((version) => `${key.slice(0, 14)}${version}${key.slice(15)}`)
      for (const value of [...versions, '', `${key}0`, key.replaceAll('-', ''), 'no', [key, key]])
        await expect({ headers: { [KEY_HEADER]: value } })
      await expect({ fields: { '/email': '' }, headers: { [KEY_HEADER]: 'no' } })
    }),
    rule(
      { id: 'right-tokens', title: 'a token that equals a cookie, URI-decoded once, is accepted' },
      async (expect) => {
        await expect(withToken('', null), 200)
        for (const token of ['one', 'two']) await expect(withToken('one; XSRF-TOKEN=two', token), 200)
        await expect(withToken('a%2Fb', 'a/b'), 200)
        for (const undecodable of ['%zz', '%41%zz']) await expect(withToken(undecodable, undecodable), 200)
        await expect(withToken('a+b==', 'a+b=='), 200) // Base64 ends like this.
      },
    ),
    rule({ id: 'wrong-tokens', title: 'a wrong token gets 403 and a fresh, unique cookie' }, async (expect, skip) => {
      const first = tokenIn(await expect({}, 200))
      const refused = await expect(WRONG_TOKEN, 403, 200)
      const [mine, theirs] = [tokenIn(refused), tokenIn(await expect(WRONG_TOKEN, 403, 200))]
      if (refused.status === 200 && !first && !mine) return skip('no cookie XSRF-TOKEN is set, so no token is tested')
      for (const token of ['two', null, 'ONE', 'on', 'ones']) await expect(withToken('one', token), 403)
      await expect(withToken(mine, uriDecode(mine)), 200)
      await expect(withToken(mine, uriDecode(theirs)), 403)
    }),
  ]
}
