import type { Operation } from '../../operations.ts'
import { type Check, rowsOf } from '../check.ts'
import type { Call } from '../client.ts'
import { addressOf, exampleOf, newAddress, newLocalPart, RUN_ID, request, textAt, withField } from '../requests.ts'
import { EDGE_ENQUIRIES, EDGE_TEXTS, LOCAL_SIGNS, NEAR_DUPLICATE_NAMES } from '../samples.ts'
import { REFUSALS, REFUSED } from './refused.ts'

const RACES = 10
/** Enquiries after which a key is still known. */
const LATER = 25

/** With letters, so that capitals differ. */
const newKey = () => `abcdef${crypto.randomUUID().slice(6)}`
const withDigit = (key: string, place: number, digit: string) => key.slice(0, place) + digit + key.slice(place + 1)

/** What an enquiry is answered whose key was used before, or is used at the same time. */
export function idempotencyChecks(operation: Operation, operations: readonly Operation[]): Check[] {
  const received = rowsOf(operation, operation.successOutcome)
  const reused = rowsOf(operation, 'key-reused')
  const send = (body: unknown, key?: string | readonly string[], headers: Call['headers'] = {}) =>
    request(operation, { body, headers: { 'idempotency-key': key ?? null, ...headers } })
  const begin = () => ({ enquiry: exampleOf(operation), key: newKey() })
  /** With another value in one field each. */
  const othersOf = (enquiry: object) =>
    operation.fields.map(({ pointer }) => withField(enquiry, pointer, pointer === '/email' ? newAddress() : 'Another'))
  return [
    ...received('a repeat with the same key and the same body is answered like the first', {
      async 'an equal enquiry with the same key is accepted, in any order and writing'({ first, next }) {
        const [enquiry, key] = [exampleOf(operation, { '/msg': 'Grüße/😀' }), newKey()]
        const reversed = JSON.stringify(Object.fromEntries(Object.entries(enquiry).reverse()), null, 2)
        const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, '0')
        const inEscapes = reversed.replaceAll(/[^\s"{}:,]/g, (sign) => `\\u${hexOf(sign)}`)
        const inCapitals = reversed.replaceAll(/[^\s"{}:,]/g, (sign) => `\\u${hexOf(sign).toUpperCase()}`)
        await first(200, send(enquiry, key))
        await next(200, send(enquiry, key), send(inEscapes, key), send(inCapitals, key))
        await next(200, send(JSON.stringify(enquiry).replaceAll('/', '\\/'), key), send(enquiry, key.toUpperCase()))
        await next(200, send(enquiry, key, { 'transfer-encoding': 'chunked' }))
      },
      'ten equal enquiries at once with one key are accepted'({ together }) {
        const { enquiry, key } = begin()
        return together(200, Array(10).fill(send(enquiry, key)))
      },
    }),
    ...received('A UUID that the sender makes for one enquiry and repeats whenever it sends that enquiry again.', {
      'a key of any UUID version is accepted'({ each }) {
        const { enquiry, key } = begin()
        const versions = ['1', '7', '0'].map((version) => withDigit(key, 14, version))
        const variants = ['0', 'c', 'f'].map((variant) => withDigit(key, 19, variant))
        return each(200, ...[...versions, ...variants].map((one) => send(enquiry, one)))
      },
      async 'keys that differ in one digit are two'({ first, next }) {
        const { enquiry, key } = begin()
        await first(200, send(enquiry, key))
        // The first and the last digit of each group.
        for (const place of [0, 7, 9, 12, 14, 17, 19, 22, 24, 35])
          await next(200, send(exampleOf(operation), withDigit(key, place, key[place] === '7' ? '8' : '7')))
      },
    }),
    ...received('Without the header every call is an enquiry of its own.', {
      async 'without a key, an equal enquiry is accepted again'({ first, next }) {
        const [{ enquiry, key }, other] = [begin(), exampleOf(operation)]
        await first(200, send(enquiry, key))
        await next(200, send(other), send(other), send(enquiry))
      },
    }),
    ...received('Bodies are the same when their fields are equal after parsing, character by character.', {
      async 'enquiries at once are not mixed'({ together, each }) {
        const calls = Array.from({ length: 10 }, begin).map(({ enquiry, key }) => send(enquiry, key))
        await together(200, calls)
        await each(200, ...calls)
      },
    }),
    ...received('`subscribe` ignores it.', {
      async 'a key that another call carried is free'({ exchange, each }) {
        for (const other of operations.filter(({ name }) => name !== operation.name)) {
          const { enquiry, key } = begin()
          await exchange(request(other, { headers: { 'idempotency-key': key } }))
          await each(200, send(enquiry, key))
        }
      },
    }),
    ...received('after an attempt that was refused or failed, the key is free for any body', {
      async 'a refused enquiry leaves its key free'({ first, next }) {
        for (const refuse of REFUSALS) {
          const { enquiry, key } = begin()
          const { status } = await first([200, ...REFUSED], refuse(send(enquiry, key)))
          if (status !== 200) await next(200, send(withField(enquiry, '/msg', 'Another'), key))
        }
      },
    }),
    ...reused('the same key with another body is refused with 422', {
      async 'another enquiry with the same key is refused, and the key named'({ first, next }) {
        const { enquiry, key } = begin()
        await first(200, send(enquiry, key))
        await next(422, ...othersOf(enquiry).map((other) => send(other, key)))
        await next(200, send(enquiry, key))
      },
    }),
    ...reused('Bodies are the same when their fields are equal after parsing, character by character.', {
      async 'rich text is the same when it comes again, and another in any detail'({ first, next }) {
        const addresses = [addressOf(254, 60), `${newLocalPart()}${LOCAL_SIGNS}Ab@Example.COM`, newAddress()]
        for (const [i, { fields, changes }] of EDGE_ENQUIRIES.entries()) {
          const [enquiry, key] = [exampleOf(operation, { ...fields, '/email': addresses[i] }), newKey()]
          await first(200, send(enquiry, key))
          await next(200, send(enquiry, key))
          await next(422, ...nearDuplicatesOf(enquiry, operation, changes).map((other) => send(other, key)))
          await next(200, send(enquiry, key))
        }
        for (let i = 0; i < EDGE_TEXTS.length; i += 3) {
          const [given, family = 'a', msg = 'a'] = EDGE_TEXTS.slice(i)
          const enquiry = exampleOf(operation, { '/name/first': given, '/name/last': family, '/msg': msg })
          const call = send(enquiry, newKey())
          await first(200, call)
          await next(200, call)
        }
        for (const [one, other] of NEAR_DUPLICATE_NAMES) {
          const [enquiry, key] = [exampleOf(operation, one), newKey()]
          await first(200, send(enquiry, key))
          await next(422, send(exampleOf(operation, { ...other, '/email': textAt(enquiry, '/email') }), key))
        }
      },
    }),
    ...reused('It stays bound as long as the enquiry is kept, and for 24 hours at least.', {
      async 'a key stays bound for everybody, whatever comes after it'({ first, next, cookies }) {
        const { enquiry, key } = begin()
        await first(200, send(enquiry, key))
        await next(200, ...Array.from({ length: LATER }, begin).map(({ enquiry, key }) => send(enquiry, key)))
        cookies.forget()
        await next(422, ...othersOf(enquiry).map((other) => send(other, key)))
        await next(200, send(enquiry, key))
      },
    }),
    ...reused('Keys that differ only in case are one key.', {
      async 'keys that differ only in case are one'({ first, next }) {
        const { enquiry, key } = begin()
        await first(200, send(enquiry, key))
        await next(422, ...othersOf(enquiry).map((other) => send(other, key.toUpperCase())))
        await next(422, request(operation, { body: othersOf(enquiry)[0], headers: { 'IDEMPOTENCY-KEY': key } }))
      },
    }),
    ...reused('Of two different bodies that come at once with one key, one is stored and the other refused with 422.', {
      async 'of two enquiries at once with one key, one is accepted'({ together, assert, isLost }) {
        for (let race = 0; race < RACES && !isLost(); race++) {
          const { enquiry, key } = begin()
          const both = await together(
            [200, 422],
            [enquiry, othersOf(enquiry)[0]].map((body) => send(body, key)),
          )
          const statuses = both.map(({ status }) => status).sort()
          assert(statuses.join() === '200,422', '200 for one and 422 for the other', statuses.join(' and '))
        }
      },
    }),
    ...rowsOf(operation, operation.invalidOutcome)(
      'A UUID that the sender makes for one enquiry and repeats whenever it sends that enquiry again.',
      {
        'a key that is not one UUID is refused'({ each }) {
          const { enquiry, key } = begin()
          const wrong = [key.replaceAll('-', ''), key.slice(1), `${key}0`, `${key} x`, '', `no-uuid-${RUN_ID}`]
          const rewritten = [`{${key}}`, `urn:uuid:${key}`, `"${key}"`, key.replace('a', 'g'), key.replaceAll('-', '_')]
          const two = [`${key}, ${key}`, `${key},${newKey()}`, [key, key], `${key.slice(9)}-${key.slice(0, 8)}`]
          return each(422, ...[...wrong, ...rewritten, ...two].map((one) => send(enquiry, one)))
        },
      },
    ),
  ]
}

/** Valid enquiries that differ in one detail each. */
function nearDuplicatesOf(enquiry: object, operation: Operation, changes: readonly ((text: string) => string)[]) {
  return operation.fields.flatMap(({ pointer }) => {
    const text = textAt(enquiry, pointer)
    const others = new Set(changes.map((change) => change(text)))
    others.delete(text)
    return [...others].map((other) => withField(enquiry, pointer, other)).filter((other) => operation.isRequest(other))
  })
}
