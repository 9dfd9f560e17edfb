import { gzipSync } from 'node:zlib'
import { isValid } from '../contract/faults.ts'
import type { Operation } from '../contract/operations.ts'
import { uriDecode } from '../src/domain/uri-decoding.ts'
import { type CallOptions, inAscii, KEY_HEADER, newAddress, newKey, padded } from './call.ts'
import { type Rule, rule, tokenIn } from './expect-answer.ts'
import type { Settings } from './settings.ts'

const json = JSON.stringify
/** The largest body that is accepted. */
const LIMIT = 65_536
const CHUNKED = { 'transfer-encoding': 'chunked' }
const withType = (type: string | null): CallOptions => ({ headers: { 'content-type': type } })
const withToken = (cookie: string, token: string | null): CallOptions => ({
  headers: { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': token },
})
const WRONG_TOKEN = withToken('one', 'two')

/** A call for each way to refuse one. */
export const REFUSALS: readonly { readonly status: number; readonly options: CallOptions }[] = [
  { status: 404, options: { path: '/api/more' } },
  { status: 405, options: { method: 'PUT' } },
  { status: 415, options: withType('text/plain') },
  { status: 413, options: { write: padded(LIMIT + 1) } },
  { status: 400, options: { write: (fields) => `${json(fields)}x` } },
  { status: 422, options: { fields: { '/more': 1 } } },
]

/** JSON in UTF-8. Parameters other than `charset` are ignored, in each of the ways to write them. */
const JSON_TYPES = [
  '; charset=utf-8',
  ';Charset=UTF-8',
  '; charset="utf-8"',
  '; boundary=x; charset=utf8',
  ' ; v=1',
  '',
]
  .concat('; a="charset=x; charset=x"', '; a="\\"; charset=x"; b="1"')
  .map((parameters) => `Application/json${parameters}`)
/** Of no type, of those that a form of another site can send, and of those that are almost right. */
const WRONG_TYPES = [null, 'text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'].concat(
  'application/problem+json',
  'application/json-patch+json',
  'application/json; v=1; charset=iso-8859-1',
)

/** The longest address has 64 characters, the @, and these 189. */
const LONG = `${'d'.repeat(57)}.${'d'.repeat(63)}.${'d'.repeat(63)}.com`
const ADDRESS_ENDS = ["!#$%&'*+-/=?^_`{|}~@example.com", '@a--b.1.example.com', '@', '@example', '@a..example.com']
  .concat('@a_b.example.com', '@-a.example.com', '@example.com.', '@a@example.com', ' b@example.com', '@example.com\n')
  .concat('ä@example.com', '@bücher.example.com', '@[127.0.0.1]')

/** So many unknown fields that an answer names only some of them. */
const MANY_UNKNOWN = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`/more${index}`, 'a']))

const TEXTS = ['Ñandú Όνομα שם اسم ชื่อ 名前 ስም 𐌽𐌰', '👩‍🚒 🇩🇪 👍🏽', `O'Ab-"\\</script> ' OR 1=1; --`, 'null', '0']
  .concat([' ', '\n', '\u00a0', '\u3000', '\ufeff'].flatMap((space) => [space, `${space}a`, `a${space}`]))
  .concat('a\r\n\tb', 'a\nb', 'a\0b', 'a\u007fb', 'a\u0085b', 'a\u2028b')

/** The rules of both operations: how a request is read, and how it is refused. */
export function requestRules({ origin }: Settings, { path, schemas }: Operation): readonly Rule[] {
  const pointers = [...schemas.keys()].filter((pointer) => pointer !== '')
  const objects = [...schemas].flatMap(([pointer, { properties }]) => (properties ? [pointer] : []))
  const leaves = pointers.filter((pointer) => !objects.includes(pointer))
  /** The fields of free text: no address, and no choice of few values. */
  const texts = leaves.filter((pointer) => isValid(schemas.get(pointer) ?? {}, 'text'))
  return [
    rule({ id: 'first-call', title: 'POST below the URL stores the example', isBasis: true }, async (expect) => {
      await expect({}, 200)
    }),
    rule({ id: 'refusals', title: 'each is a problem document with its status', isBasis: true }, async (expect) => {
      for (const { status, options } of REFUSALS) await expect(options, status)
      await expect({ write: () => '{}' }, 422)
      await expect({ fields: { '/email': 'plain text' } }, 422)
      await expect({ method: 'HEAD' }, 405)
      await expect({}, 200)
    }),
    rule({ id: 'own-origin', title: "the page's origin is that of --origin, not Host" }, async (expect) => {
      const browser = { origin, referer: `${origin}/`, 'sec-fetch-site': 'same-origin' }
      await expect({ headers: browser }, 200)
      await expect({ headers: { ...browser, 'sec-fetch-site': null } }, 200)
      await expect({ headers: { ...browser, origin: 'http://backend.internal:8080' } }, 200)
    }),
    rule({ id: 'request-type', title: 'only JSON in UTF-8 is read, without an encoding' }, async (expect) => {
      for (const type of JSON_TYPES) await expect(withType(type), 200)
      await expect(withType('application/json; charset=utf-8; charset=iso-8859-1'), 200, 415)
      for (const type of WRONG_TYPES) await expect(withType(type), 415)
      for (const none of ['identity', 'Identity']) await expect({ headers: { 'content-encoding': none } }, 200)
      await expect({ write: (fields) => gzipSync(json(fields)), headers: { 'content-encoding': 'gzip' } }, 415)
    }),
    rule({ id: 'size', title: '65,536 bytes are read, with a length or in chunks' }, async (expect) => {
      for (const pointer of texts) {
        const text = 'гавань港'.repeat(9).slice(0, schemas.get(pointer)?.maxLength)
        await expect({ fields: { [pointer]: text }, headers: CHUNKED }, 200)
      }
      for (const headers of [{}, CHUNKED]) {
        await expect({ write: padded(LIMIT), headers }, 200)
        await expect({ write: padded(LIMIT + 1), headers }, 413)
      }
    }),
    rule({ id: 'strict-json', title: 'RFC 8259 in strict UTF-8, no lone surrogates' }, async (expect) => {
      for (const text of ['', 'email=a', '{"email":NaN}', '{"email":"a\tb"}']) await expect({ write: () => text }, 400)
      await expect({ write: (fields) => `${json(fields).slice(0, -1)},}` }, 400)
      await expect({ write: (fields) => `\ufeff${json(fields)}` }, 400)
      await expect({ write: (fields) => Buffer.from(json(fields), 'utf16le') }, 400)
      await expect({ write: (fields) => Buffer.from(json({ ...fields, email: 'é@example.com' }), 'latin1') }, 400)
      // Of two fields with one name the last counts, or the body is refused.
      await expect({ write: (fields) => `{"email":0,${json(fields).slice(1)}` }, 200, 400)
      await expect({ write: (fields) => `${json(fields).slice(0, -1)},"email":0}` }, 400, 422)
      await expect({ write: () => '['.repeat(20_000) + ']'.repeat(20_000) }, 400, 422)
      await expect({ write: () => '{"email":1e999}' }, 400, 422)
      for (const pointer of texts) await expect({ fields: { [pointer]: 'a\ud800b' } }, 400, 422)
    }),
    rule({ id: 'fields', title: 'missing, unknown and converted fields are refused' }, async (expect) => {
      for (const body of ['null', '[]', '"text"', '{}']) await expect({ write: () => body })
      for (const value of [null, 5, true, 'text', [], [newAddress()], undefined])
        for (const pointer of pointers) await expect({ fields: { [pointer]: value } })
      for (const name of ['more', 'Email', '__proto__', 'more'.repeat(15_000)])
        for (const pointer of objects) await expect({ fields: { [`${pointer}/${name}`]: 'a' } })
      await expect({ write: (fields) => json({ ...fields, 'a/b~c': 'a' }) })
      await expect({ fields: MANY_UNKNOWN, headers: { [KEY_HEADER]: 'no' } })
      await expect({ fields: Object.fromEntries(leaves.map((pointer) => [pointer, ''])) })
    }),
    rule({ id: 'addresses', title: 'the pattern of openapi.yaml decides on the whole text' }, async (expect) => {
      const starts = ['', 'plain', '@example.com', ` ${newAddress()}`, `"${newAddress('"@example.com')}`]
      const long = [`@${LONG}`, `@a${LONG}`].map((end) => newAddress('').padEnd(64, 'a') + end)
      const others = ADDRESS_ENDS.map((end) => newAddress(end))
      for (const email of [...starts, ...long, ...others, newAddress().padStart(78, 'a')])
        await expect({ fields: { '/email': email } })
    }),
    rule({ id: 'texts', title: 'lengths count code points; nothing is trimmed or filtered' }, async (expect) => {
      for (const pointer of texts) {
        await expect({ fields: { [pointer]: '😀' }, write: inAscii }, 200)
        const { maxLength = 0 } = schemas.get(pointer) ?? {}
        const long = [0, 1, maxLength, maxLength + 1].flatMap((length) => ['a'.repeat(length), '😀'.repeat(length)])
        for (const text of [...long, ...TEXTS]) await expect({ fields: { [pointer]: text } })
      }
    }),
    rule({ id: 'paths', title: 'another method is a 405, another path a 404; a query is ignored' }, async (expect) => {
      await expect({ path: `${path}?more=1` }, 200)
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) await expect({ method }, 405)
      for (const other of [`${path}/more`, '/api', `${path}/`, path.toUpperCase().replace('/API', '/api')])
        for (const method of ['POST', 'GET']) await expect({ method, path: other }, 404)
    }),
    rule({ id: 'key-format', title: 'a UUID of every version, in any case' }, async (expect) => {
      const key = newKey()
      const versions = [1, 7].map((version) => `${key.slice(0, 14)}${version}${key.slice(15)}`)
      for (const value of [...versions, '', `${key}0`, key.replaceAll('-', ''), 'no'])
        await expect({ headers: { [KEY_HEADER]: value } })
      await expect({ fields: { '/email': '' }, headers: { [KEY_HEADER]: 'no' } })
    }),
    rule({ id: 'right-tokens', title: 'a cookie, URI-decoded once, equals the header' }, async (expect) => {
      await expect(withToken('', null), 200)
      for (const token of ['one', 'two']) await expect(withToken('one; XSRF-TOKEN=two', token), 200)
      await expect(withToken('a%2Fb', 'a/b'), 200)
      await expect(withToken('%zz', '%zz'), 200) // It can't be decoded.
      await expect(withToken('a+b==', 'a+b=='), 200) // As Base64 ends.
    }),
    rule({ id: 'wrong-tokens', title: '403 with a new cookie that no other visitor has' }, async (expect, skip) => {
      const first = tokenIn(await expect({}, 200))
      const refused = await expect(WRONG_TOKEN, 403, 200)
      const [mine, theirs] = [tokenIn(refused), tokenIn(await expect(WRONG_TOKEN, 403, 200))]
      if (refused.status === 200 && !first && !mine) return skip('the backend sets no cookie XSRF-TOKEN')
      for (const token of ['two', null, 'ONE', 'on', 'ones']) await expect(withToken('one', token), 403)
      await expect(withToken(mine, uriDecode(mine)), 200)
      await expect(withToken(mine, uriDecode(theirs)), 403)
    }),
  ]
}
