import type { Operation } from '../contract/operations.ts'
import { decodePercents } from '../src/domain/percents.ts'
import { KNOWN, NEW } from './answer.ts'
import { type Change, type Fields, KEY, newAddress, newKey, newLocalPart, oneConnection, WRONG_TOKEN } from './call.ts'
import type { Row, Step, Table } from './steps.ts'
import { LIMIT } from './table.ts'

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

const OTHER_TEXT = { '/msg': 'Another' }
const OTHER_TYPE = { headers: { 'content-type': 'text/plain' } }
/** Calls that a backend refuses, each for another reason. */
const REFUSED: readonly (readonly [title: string, expected: number, change: Change])[] = [
  ['another type', 415, OTHER_TYPE],
  ['no JSON', 400, { edit: (json) => `${json}x` }],
  ['an unknown field', 422, { edit: (json) => json.replace(/}$/, ',"more":1}') }],
]
/** Calls that follow each other on one connection. A backend without the cookie accepts the wrong token. */
const ON_ONE_CONNECTION: readonly (readonly [expected: number | number[], change: Change])[] = [
  [422, { fields: { '/email': 'none' } }],
  [400, { edit: (json) => json.slice(0, -1) }],
  [415, OTHER_TYPE],
  [405, { method: 'PUT' }],
  [404, { path: '/api/more' }],
  [[403, 200], WRONG_TOKEN],
  [413, { edit: (json) => json.padEnd(LIMIT + 1) }],
  [405, { method: 'HEAD' }],
  [200, {}],
]

/** The rules that only several calls show. The tokens are those that the backend has set for two visitors. */
export function sequencesOf({ name }: Operation, mine = '', theirs = ''): Table {
  const agent = oneConnection()
  const withToken = (token: string): Change => ({
    headers: { cookie: `XSRF-TOKEN=${mine}`, 'x-xsrf-token': decodePercents(token) },
  })
  return {
    'fresh-tokens': [['', [403, WRONG_TOKEN], [200, withToken(mine)], [403, withToken(theirs)]]],
    'keep-alive': [['', ...ON_ONE_CONNECTION.map(([expected, change]): Step => [expected, { ...change, agent }])]],
    ...(name === 'subscribe' ? subscriptions() : enquiries()),
  }
}

function subscriptions(): Table {
  const of = (email = newAddress()): Change => ({ fields: { '/email': email } })
  const [start, address] = [newLocalPart(), `${newLocalPart()}abcdefghijklmnopqrstuvwxyzABC@Example.com`]
  const similar = ['a.b@', 'ab@', 'a+b@', 'a_b@', 'a%b@', 'a.b@b.'].map((end) => of(`${start}${end}example.com`))
  const stored = times(50, of)
  return {
    'refused-calls': REFUSED.map(([title, expected, change]): Row => {
      const own = of()
      return [title, [expected, { ...own, ...change }], [NEW, own]]
    }),
    races: [['', [NEW, of()], ...times(4, of).map((own): Step => [[NEW, KNOWN], ...times(10, () => own)])]],
    'one-address': [
      ['case', [NEW, of(address)], [KNOWN, of(address.toUpperCase())], [KNOWN, of(address.toLowerCase())]],
      ['similar addresses', ...similar.map((each): Step => [NEW, each])],
    ],
    crashes: [['', ...stored.map((own): Step => [200, own]), ['restart'], ...stored.map((own): Step => [KNOWN, own])]],
  }
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
  ['the case of the key', {}, OTHER_TEXT],
]

const newEnquiry = (fields: Fields = {}) => ({
  fields: { '/email': newAddress(), ...fields },
  headers: { [KEY]: newKey() },
})
type Enquiry = ReturnType<typeof newEnquiry>
/** Another enquiry with the same key. */
const changed = (own: Enquiry, fields: Fields = OTHER_TEXT) => ({ ...own, fields: { ...own.fields, ...fields } })
const inCapitals = (own: Enquiry) => ({ ...own, headers: { [KEY]: own.headers[KEY].toUpperCase() } })
const reversed = (json: string) =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).reverse()), null, 2)
const escaped = (json: string) => json.replaceAll('ü', '\\u00fc').replaceAll('/', '\\/')

function enquiries(): Table {
  const [own, atOnce, keyless] = [newEnquiry({ '/msg': 'Grüße/😀' }), newEnquiry(), newEnquiry()]
  const repeats: Change[] = [own, own, { ...own, edit: reversed }, { ...own, edit: escaped }, inCapitals(own)]
  const withoutKey = { fields: keyless.fields }
  const race = times(6, newEnquiry).map((each): Step => [[200, 422], each, changed(each)])
  const stored = times(50, newEnquiry)
  return {
    'same-key': [
      ['the same body', ...repeats.map((repeat): Step => [200, repeat])],
      ['the same body, ten at once', [200, ...times(10, () => atOnce)]],
      ...NEAR_DUPLICATES.map(([mistake, fields, otherFields]): Row => {
        const own = newEnquiry(fields)
        return [mistake, [200, own], [422, inCapitals(changed(own, otherFields))], [200, own]]
      }),
    ],
    'no-key': [['', [200, keyless], [200, withoutKey], [200, withoutKey]]],
    'free-keys': REFUSED.map(([title, expected, { headers, ...change }]): Row => {
      const own = newEnquiry()
      return [title, [expected, { ...own, ...change, headers: { ...own.headers, ...headers } }], [200, changed(own)]]
    }),
    races: [['', [200, own], [422, changed(own)], ...race]],
    crashes: [
      ['', ...stored.map((own): Step => [200, own]), ['restart'], ...stored.map((own): Step => [422, changed(own)])],
    ],
  }
}
