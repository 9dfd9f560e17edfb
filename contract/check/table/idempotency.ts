import type { Operation } from '../../operations.ts'
import type { Row } from '../context.ts'
import { exampleOf, type Fields, newAddress, newLocalPart, RUN_ID, request, withField } from '../requests.ts'
import { DURABLE, surviveRestart } from './durability.ts'
import { REFUSALS, REFUSED } from './refused.ts'

const LOCAL_PART = newLocalPart()
const CONCURRENCY = 10
/** How often a race is run: a backend that loses one does so once in a few times. */
const RACES = 6

/** A key with letters, so that it differs from the same one in capitals. */
const newKey = () => `abcdef${crypto.randomUUID().slice(6)}`
const withDigit = (key: string, place: number, digit: string) => key.slice(0, place) + digit + key.slice(place + 1)

/** Enquiries that are not the same, though a backend with the mistake beside them takes them for it. */
const NEAR_DUPLICATES: readonly (readonly [one: Fields, other: Fields])[] = [
  [{ '/msg': 'Hello' }, { '/msg': 'hello' }], // Finds a collation that ignores case.
  [{ '/name/last': 'Żółć' }, { '/name/last': 'Zolc' }], // Finds a collation that ignores accents.
  [{ '/msg': '😀' }, { '/msg': '😃' }], // Finds a collation that ignores emoji.
  [{ '/msg': 'é' }, { '/msg': 'e\u0301' }], // Finds texts that are normalised.
  [{ '/msg': 'a\r\nb' }, { '/msg': 'a\nb' }], // Finds line breaks that are made one.
  [{ '/msg': 'a  b' }, { '/msg': 'a b' }], // Finds white space that is made one.
  [{ '/msg': '&lt;b>' }, { '/msg': '<b>' }], // Finds texts that are escaped.
  [{ '/msg': `${'a'.repeat(4999)}b` }, { '/msg': `${'a'.repeat(4999)}c` }], // Finds texts that are cut.
  [{ '/name/first': '1e3' }, { '/name/first': '1000' }], // Finds a comparison as numbers.
  [
    { '/name/first': 'a', '/name/last': 'b c' },
    { '/name/first': 'a b', '/name/last': 'c' },
  ], // Finds names that are joined.
  [{ '/email': `${LOCAL_PART}@example.com` }, { '/email': `${LOCAL_PART}@EXAMPLE.com` }], // Finds case that is ignored.
]

/** The rows of enquiries whose key was used before, or is used at the same time. */
export function idempotencyRows(operation: Operation, restart: string): Row[] {
  const send = (body: unknown, key: string | readonly string[] | null) =>
    request(operation, { body, headers: { 'idempotency-key': key } })
  const begin = () => ({ enquiry: exampleOf(operation), key: newKey() })
  /** Copies of an enquiry, each with another value in one field. */
  const othersOf = (enquiry: object) =>
    operation.fields.map(({ pointer }) => withField(enquiry, pointer, pointer === '/email' ? newAddress() : 'Another'))
  return [
    {
      rule: 'a repeat with the same key and the same body is answered like the first',
      title: 'an equal enquiry with the same key is accepted, in any order and writing',
      outcome: operation.successOutcome,
      async run({ first, next }) {
        const [enquiry, key] = [exampleOf(operation, { '/msg': 'Grüße/😀' }), newKey()]
        const reversed = JSON.stringify(Object.fromEntries(Object.entries(enquiry).reverse()), null, 2)
        const escapeOf = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
        await first(200, send(enquiry, key))
        await next(200, send(enquiry, key), send(reversed.replaceAll(/[^\s"{}:,]/g, escapeOf), key))
        await next(200, send(JSON.stringify(enquiry).replaceAll('/', '\\/'), key), send(enquiry, key.toUpperCase()))
      },
    },
    {
      rule: 'a repeat with the same key and the same body is answered like the first',
      title: `${CONCURRENCY} equal enquiries at once with one key are accepted`,
      outcome: operation.successOutcome,
      run({ together }) {
        const { enquiry, key } = begin()
        return together(200, Array(CONCURRENCY).fill(send(enquiry, key)))
      },
    },
    {
      rule: 'A UUID that the sender makes for one enquiry and repeats whenever it sends that enquiry again.',
      title: 'a key of any UUID version and variant is accepted',
      outcome: operation.successOutcome,
      run({ each }) {
        const keys = [withDigit(newKey(), 14, '1'), withDigit(newKey(), 14, '7'), withDigit(newKey(), 19, '0')]
        return each(200, ...keys.map((key) => send(exampleOf(operation), key)))
      },
    },
    {
      rule: 'Without the header every call is an enquiry of its own.',
      title: 'without a key, an equal enquiry is accepted again',
      outcome: operation.successOutcome,
      async run({ first, next }) {
        const { enquiry, key } = begin()
        await first(200, send(enquiry, key))
        await next(200, send(enquiry, null), send(enquiry, null))
      },
    },
    {
      rule: 'after an attempt that was refused or failed, the key is free for any body',
      title: 'a refused enquiry leaves its key free',
      outcome: operation.successOutcome,
      async run({ first, next }) {
        for (const refuse of REFUSALS) {
          const { enquiry, key } = begin()
          const { status } = await first([200, ...REFUSED], refuse(send(enquiry, key)))
          if (status !== 200) await next(200, send(withField(enquiry, '/msg', 'Another'), key))
        }
      },
    },
    {
      rule: 'the same key with another body is refused with 422',
      title: 'another enquiry with the same key is refused, and the key named',
      outcome: 'key-reused',
      async run({ first, next }) {
        const { enquiry, key } = begin()
        await first(200, send(enquiry, key))
        await next(422, ...othersOf(enquiry).map((other) => send(other, key)))
        // Keys that differ only in case are one key.
        await next(422, send(withField(enquiry, '/msg', 'Another'), key.toUpperCase()))
        // The refused enquiries did not take the place of the first.
        await next(200, send(enquiry, key))
      },
    },
    {
      rule: 'Bodies are the same when their fields are equal after parsing, character by character.',
      title: 'enquiries that differ in one detail are not the same',
      outcome: 'key-reused',
      async run({ first, next }) {
        for (const [one, other] of NEAR_DUPLICATES) {
          const [fields, key] = [{ '/email': newAddress() }, newKey()]
          await first(200, send(exampleOf(operation, { ...fields, ...one }), key))
          await next(422, send(exampleOf(operation, { ...fields, ...other }), key))
        }
      },
    },
    {
      rule: 'Of two different bodies that come at once with one key, one is stored and the other refused with 422.',
      title: 'of two enquiries at once with one key, one is accepted',
      outcome: 'key-reused',
      async run({ together }) {
        for (let race = 0; race < RACES; race++) {
          const { enquiry, key } = begin()
          const bodies = [enquiry, withField(enquiry, '/msg', 'Another')]
          await together(
            [200, 422],
            bodies.map((body) => send(body, key)),
            (answers) => {
              const statuses = answers.map(({ status }) => status).toSorted()
              if (statuses.join() === '200,422') return []
              return [{ expected: '200 for one and 422 for the other', actual: statuses.join(' and ') }]
            },
          )
        }
      },
    },
    {
      rule: 'Sent twice in one request, it is no UUID.',
      title: 'a key that is not one UUID is refused',
      outcome: operation.invalidOutcome,
      run({ each }) {
        const key = newKey()
        const keys = [`no-uuid-${RUN_ID}`, '', key.slice(1), `${key}0`, key.replace('a', 'g'), [key, key]]
        // Some libraries take these forms of a UUID.
        keys.push(key.replaceAll('-', ''), `{${key}}`, `urn:uuid:${key}`, `${key}, ${key}`)
        return each(422, ...keys.map((one) => send(exampleOf(operation), one)))
      },
    },
    {
      ...DURABLE,
      run(context) {
        const newCall = () => {
          const { enquiry, key } = begin()
          return { call: send(enquiry, key), again: send(withField(enquiry, '/msg', 'Another'), key) }
        }
        return surviveRestart(context, restart, newCall, 422)
      },
    },
  ]
}
