import type { Operation } from '../contract/operations.ts'
import { RACES } from './address-checks.ts'
import { type CheckContext, type Planned, type Step, sequence, sequenceCheck } from './context.ts'
import {
  addressOf,
  bodyOf,
  getAt,
  newAddress,
  newLocalPart,
  REFUSED,
  RUN_ID,
  request,
  SPOILERS,
  setAt,
} from './requests.ts'
import { ALIKE, CHANGES, LOCAL_SIGNS, MARKS, RICH } from './samples.ts'

const RULES = {
  repeat: 'a repeat with the same key and the same body is answered like the first',
  equal: 'Bodies are the same when their fields are equal after parsing, character by character.',
  other: 'the same key with another body is refused with 422',
  race: 'Of two different bodies that come at once with one key, one is stored and the other refused with 422.',
  case: 'Keys that differ only in case are one key.',
  none: 'Without the header every call is an enquiry of its own.',
  free: 'after an attempt that was refused or failed, the key is free for any body',
  bound: 'It stays bound as long as the enquiry is kept, and for 24 hours at least.',
  ignored: '`subscribe` ignores it.',
  uuid: 'A UUID that the sender makes for one enquiry and repeats whenever it sends that enquiry again.',
} as const

/** Enquiries after which a key is still known. */
const LATER = 50

/** What an enquiry is answered whose key was used before, or is used at the same time. */
export function idempotencyChecks(operation: Operation, operations: readonly Operation[]): Planned[] {
  if (operation.name !== 'contactUs') return []
  const { path, successOutcome, invalidOutcome, fields, isRequest } = operation
  const send = (body: unknown, ...keys: string[]) =>
    request('POST', path, body, { 'idempotency-key': keys.length > 1 ? keys : (keys[0] ?? null) })
  // With letters, so that capitals differ.
  const newKey = () => `abcdef${crypto.randomUUID().slice(6)}`
  const pointers = fields.map(({ pointer }) => pointer)

  /** Another value for each field, and the same one in other words. */
  function othersOf(enquiry: object): object[] {
    const others = pointers.map((pointer) => setAt(enquiry, pointer, 'Another')).filter((other) => isRequest(other))
    return [...others, setAt(enquiry, '/email', newAddress())]
  }

  /** Each differs in one detail. */
  function variantsOf(enquiry: object): object[] {
    return pointers.flatMap((pointer) => {
      const text = getAt(enquiry, pointer)
      const changed = new Set(CHANGES.map((change) => change(text)))
      changed.delete(text)
      return [...changed].map((other) => setAt(enquiry, pointer, other)).filter((other) => isRequest(other))
    })
  }

  async function keepsText(context: CheckContext) {
    const addresses = [addressOf(254, 60), `${newLocalPart()}${LOCAL_SIGNS}Ab@Example.COM`, newAddress()]
    for (const [i, email] of addresses.entries()) {
      context.begin()
      const [key, enquiry] = [newKey(), { ...RICH[i], email }]
      const others = variantsOf(enquiry).map((other) => send(other, key))
      await sequence(
        [200, send(enquiry, key), send(enquiry, key)],
        [422, ...others],
        [200, send(enquiry, key)],
      )(context)
    }
    for (const text of MARKS) {
      context.begin()
      const enquiry = send({ name: { first: text, last: text }, email: newAddress(), msg: text }, newKey())
      await sequence([200, enquiry, enquiry])(context)
    }
    for (const [name, other] of ALIKE) {
      context.begin()
      const [key, enquiry] = [newKey(), { ...bodyOf(operation), name }]
      await sequence([200, send(enquiry, key)], [422, send({ ...enquiry, name: other }, key)])(context)
    }
  }

  async function acceptsOneOfTwo(context: CheckContext) {
    for (let race = 0; race < RACES && !context.isLost(); race++) {
      const [key, enquiry] = [newKey(), bodyOf(operation)]
      const calls = [enquiry, othersOf(enquiry)[0]].map((body) => send(body, key))
      const both = await context.expectTogether(calls, [200, 422])
      const statuses = both.map(({ status }) => status).sort()
      context.assert(statuses.join() === '200,422', '200 for one and 422 for the other', statuses.join(' and '))
    }
  }

  async function keepsApart(context: CheckContext) {
    const all = Array.from({ length: 10 }, () => ({ key: newKey(), enquiry: bodyOf(operation) }))
    const calls = all.map(({ key, enquiry }) => send(enquiry, key))
    await context.expectTogether(calls, 200)
    context.begin()
    for (const call of calls) await context.expect(call, 200)
  }

  async function isFree(context: CheckContext) {
    for (const other of operations.filter(({ name }) => name !== operation.name)) {
      const key = newKey()
      await context.send(request('POST', other.path, bodyOf(other), { 'idempotency-key': key }))
      await context.expect(send(bodyOf(operation), key), 200)
    }
  }

  async function staysBound(context: CheckContext) {
    const [key, enquiry] = [newKey(), bodyOf(operation)]
    await context.expect(send(enquiry, key), 200)
    for (let later = 0; later < LATER && !context.isLost(); later++) {
      await context.expect(send(bodyOf(operation), newKey()), 200)
    }
    context.cookies.forget()
    for (const other of othersOf(enquiry)) await context.expect(send(other, key), 422)
    await context.expect(send(enquiry, key), 200)
  }

  async function leavesFree(context: CheckContext) {
    for (const spoil of SPOILERS) {
      if (context.isLost()) return
      const [key, enquiry] = [newKey(), bodyOf(operation)]
      context.begin()
      const { status } = await context.expect(spoil(send(enquiry, key)), [200, ...REFUSED])
      if (status !== 200) await context.expect(send(othersOf(enquiry)[0], key), 200)
    }
  }

  /** Made when the checks are made: each has a key of its own. */
  const steps = (run: (enquiry: object, key: string) => Step[]) => sequence(...run(bodyOf(operation), newKey()))

  return [
    sequenceCheck(
      successOutcome,
      'an equal enquiry with the same key is accepted, in any order and writing',
      RULES.repeat,
      steps((example, key) => {
        const enquiry = setAt(example, '/msg', 'Grüße/😀')
        const reversed = Object.fromEntries(Object.entries(enquiry).reverse())
        const inEscapes = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
        const rewritten = JSON.stringify(reversed, null, 2).replaceAll(/[^\s"{}:,]/g, inEscapes)
        const others = [rewritten, JSON.stringify(enquiry).replaceAll('/', '\\/')].map((json) => send(json, key))
        const chunked = request('POST', path, enquiry, { 'idempotency-key': key, 'transfer-encoding': 'chunked' })
        return [[200, send(enquiry, key), send(enquiry, key), ...others, chunked, send(enquiry, key.toUpperCase())]]
      }),
    ),
    sequenceCheck(successOutcome, 'ten equal enquiries at once with one key are accepted', RULES.repeat, (context) =>
      context.expectTogether(Array(10).fill(send(bodyOf(operation), newKey())), 200),
    ),
    sequenceCheck(
      successOutcome,
      'a key of any UUID version is accepted',
      RULES.uuid,
      steps((enquiry, key) => [
        [200, ...['1', '7', '0'].map((version) => send(enquiry, key.slice(0, 14) + version + key.slice(15)))],
        [200, ...['0', 'c', 'f'].map((variant) => send(enquiry, key.slice(0, 19) + variant + key.slice(20)))],
      ]),
    ),
    sequenceCheck(
      successOutcome,
      'keys that differ in one digit are two',
      RULES.uuid,
      steps((enquiry, key) => {
        const others = [...key].flatMap((digit, i) =>
          digit === '-' ? [] : [key.slice(0, i) + (digit === '7' ? '8' : '7') + key.slice(i + 1)],
        )
        return [[200, send(enquiry, key), ...others.map((other) => send(bodyOf(operation), other))]]
      }),
    ),
    sequenceCheck(successOutcome, 'without a key, an equal enquiry is accepted again', RULES.none, async (context) => {
      const [enquiry, other] = [bodyOf(operation), bodyOf(operation)]
      await context.expectSequence([[200, send(enquiry, newKey()), send(other), send(other), send(enquiry)]])
    }),
    sequenceCheck(successOutcome, 'enquiries at once are not mixed', RULES.equal, keepsApart),
    sequenceCheck(successOutcome, 'a key that another call carried is free', RULES.ignored, isFree),
    sequenceCheck(successOutcome, 'a refused enquiry leaves its key free', RULES.free, leavesFree),
    sequenceCheck(
      'key-reused',
      'another enquiry with the same key is refused, and the key named',
      RULES.other,
      steps((enquiry, key) => [
        [200, send(enquiry, key)],
        [422, ...othersOf(enquiry).map((other) => send(other, key))],
        [200, send(enquiry, key)],
      ]),
    ),
    sequenceCheck(
      'key-reused',
      'rich text is the same when it comes again, and another in any detail',
      RULES.equal,
      keepsText,
    ),
    sequenceCheck('key-reused', 'a key stays bound for everybody, whatever comes after it', RULES.bound, staysBound),
    sequenceCheck(
      'key-reused',
      'keys that differ only in case are one',
      RULES.case,
      steps((enquiry, key) => [
        [200, send(enquiry, key)],
        [422, ...othersOf(enquiry).map((other) => send(other, key.toUpperCase()))],
        [422, ...othersOf(enquiry).map((other) => request('POST', path, other, { 'IDEMPOTENCY-KEY': key }))],
      ]),
    ),
    sequenceCheck('key-reused', 'of two enquiries at once with one key, one is accepted', RULES.race, acceptsOneOfTwo),
    sequenceCheck(
      invalidOutcome,
      'a key that is not one UUID is refused',
      RULES.uuid,
      steps((enquiry, key) => {
        const wrong = [
          `no-uuid-${RUN_ID}`,
          key.replaceAll('-', ''),
          key.slice(1),
          `${key}0`,
          `${key} x`,
          `{${key}}`,
          '',
        ]
        const odd = [
          `${key}, ${key}`,
          `${key},${newKey()}`,
          `${key.slice(9)}-${key.slice(0, 8)}`,
          `urn:uuid:${key}`,
          `"${key}"`,
          key.replace('a', 'g'),
          key.replaceAll('-', '_'),
        ]
        return [[422, ...[...wrong, ...odd].map((one) => send(enquiry, one)), send(enquiry, key, key)]]
      }),
    ),
  ]
}
