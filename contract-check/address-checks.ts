import { type Operation, toJson } from '../contract/operations.ts'
import { type CheckContext, type Planned, sequenceCheck } from './context.ts'
import { addressOf, bodyOf, newAddress, newLocalPart, REFUSED, request, SPOILERS } from './requests.ts'
import { LOCAL_SIGNS } from './samples.ts'

const CONCURRENCY = 20
/** A backend that loses a race does so once in a few times. */
export const RACES = 10
const HIDDEN = 'email_exists is always false: this backend does not reveal who is subscribed'

const RULES = {
  promise: '**An answer with `success: true` is a promise.**',
  case: 'Addresses that differ only in the case of ASCII letters are one address, all others are different ones',
  once: 'Of any number of equal calls, at once or one after the other, exactly one is answered with `email_exists: false`.',
  refused: 'Nothing of a refused request is stored.',
  key: '`subscribe` ignores it.',
  list: 'Adds an address to the list of those who want to hear about upcoming features.',
} as const

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Replaces the character at `index`. */
const changed = (text: string, index: number, to: string) => text.slice(0, index) + to + text.slice(index + 1)

/** Pairs of addresses that are not the same, of which the first is subscribed. */
function differentPairs(): (readonly [stored: string, other: string])[] {
  const at = '@example.com'
  const pair = (one: string, other: string): readonly [string, string] => {
    const start = newLocalPart()
    return [start + one, start + other]
  }
  const long = addressOf(254, 60)
  const longLocal = newLocalPart().padEnd(63, 'a')
  const [inner, outer] = [newLocalPart(), newLocalPart()]
  return [
    ...[...LOCAL_SIGNS].flatMap((mark) => [
      pair(`a${mark}b${at}`, `ab${at}`),
      pair(`a${mark}b${at}`, `axb${at}`),
      pair(`a${mark}b${at}`, `a${mark}c${at}`),
      pair(`a${mark}b${at}`, `a${mark}${mark}b${at}`),
      pair(`a${mark}b${at}`, `a${at}`),
      pair(`axb${at}`, `a${mark}b${at}`),
      pair(`abcd${at}`, `a${mark}d${at}`),
    ]),
    ...[
      pair(`-${at}`, `_${at}`),
      pair(`\`${at}`, `'${at}`),
      pair(`%61${at}`, `a${at}`),
      pair(`^${at}`, `~${at}`),
      pair(`&amp${at}`, `&${at}`),
    ],
    ...[pair(`a${at}`, `a@b.example.com`), pair(`c${at}`, `c@example.com.example.com`), pair(`d${at}`, `d@example.c`)],
    ...[pair(`e@example.com.example.com`, `e${at}`), pair(`f@a-b.example.com`, `f@ab.example.com`)],
    [`${outer}.${inner}${at}`, `${inner}${at}`],
    [`${longLocal}a${at}`, `${longLocal}b${at}`],
    ...[253, 64, 99, 128, 191].map((index) => [long, changed(long, index, 'n')] as const),
  ]
}

/** What an address is answered that was subscribed before, or at the same time. */
export function addressChecks(operation: Operation, others: readonly Operation[]): Planned[] {
  const { path, successOutcome } = operation
  if (operation.name !== 'subscribe') return []
  const subscribe = (email: string) => request('POST', path, { email })
  const exists = async (context: CheckContext, email: string) =>
    toJson((await context.expect(subscribe(email), 200)).value.email_exists)

  /** Subscribes an address twice, and returns what the repeat is answered. */
  async function repeated(context: CheckContext, email: string) {
    const before = await exists(context, email)
    context.assert(before === 'false', 'email_exists false for a new address', before)
    const after = await exists(context, email)
    if (after === 'false') context.note(HIDDEN)
    return after
  }

  /** A backend that knows an address does so for everybody, and on every connection. */
  async function knowsEverywhere(context: CheckContext) {
    const call = subscribe(newAddress())
    const [, again] = await context.expectSequence([[200, call, call]])
    const isKnown = again?.value.email_exists
    context.cookies.forget()
    const { value } = await context.expect(call, 200)
    const expected = `email_exists ${toJson(isKnown)}, as over the connection that subscribed it`
    context.assert(value.email_exists === isKnown, expected, toJson(value.email_exists))
    await repeated(context, newAddress())
  }

  async function foldsCase(context: CheckContext) {
    const domain = '@example.com'
    for (const local of [`${newLocalPart()}${LETTERS}`, `${newLocalPart()}${LETTERS.toUpperCase()}`]) {
      const email = local + domain
      context.begin()
      const known = await repeated(context, email)
      const same = [
        local + domain.toUpperCase(),
        local.toUpperCase() + domain,
        email.toUpperCase(),
        email.toLowerCase(),
      ]
      for (const one of same) {
        const answered = await exists(context, one)
        context.assert(answered === known, `email_exists ${known}, as for the same address in another case`, answered)
      }
    }
  }

  async function tellsApart(context: CheckContext) {
    for (const [stored, other] of differentPairs()) {
      if (context.isLost()) return
      context.begin()
      await context.expect(subscribe(stored), 200)
      const answered = await exists(context, other)
      context.assert(answered === 'false', 'email_exists false for another address', answered)
    }
  }

  async function findsOneNew(context: CheckContext) {
    for (let race = 0; race < RACES && !context.isLost(); race++) {
      const email = newAddress()
      const answered = await context.expectTogether(Array(CONCURRENCY).fill(subscribe(email)), 200)
      const isHidden = (await exists(context, email)) === 'false'
      const newCount = answered.filter(({ value }) => value.email_exists === false).length
      if (isHidden) {
        context.note(HIDDEN)
        return
      }
      context.assert(newCount === 1, `email_exists false once of ${CONCURRENCY} times`, `${newCount} times`)
    }
  }

  async function storesEach(context: CheckContext) {
    const known = newAddress()
    await context.expect(subscribe(known), 200)
    if ((await exists(context, known)) === 'false') return context.note(HIDDEN)
    const calls = Array.from({ length: CONCURRENCY }, () => subscribe(newAddress()))
    await context.expectTogether(calls, 200)
    for (const call of calls) {
      context.begin()
      const { value } = await context.expect(call, 200)
      context.assert(value.email_exists === true, 'email_exists true: it was stored', toJson(value.email_exists))
    }
  }

  /** After each of these calls the address is still new. */
  async function storesNothing(context: CheckContext) {
    for (const spoil of SPOILERS) {
      if (context.isLost()) return
      const email = newAddress()
      context.begin()
      const { status } = await context.expect(spoil(subscribe(email)), [200, ...REFUSED])
      const answered = await exists(context, email)
      const expected = 'email_exists false: the call before was refused'
      if (status !== 200) context.assert(answered === 'false', expected, answered)
    }
  }

  async function storesNoEnquirer(context: CheckContext) {
    for (const other of others.filter(({ name }) => name !== operation.name)) {
      const email = newAddress()
      context.begin()
      await context.send(request('POST', other.path, { ...bodyOf(other), email }))
      const answered = await exists(context, email)
      context.assert(answered === 'false', 'email_exists false for an address that only sent an enquiry', answered)
    }
  }

  async function ignoresKey(context: CheckContext) {
    for (const key of ['any', crypto.randomUUID()])
      for (const email of [newAddress(), newAddress()]) {
        const call = request('POST', path, { email }, { 'idempotency-key': key })
        const { value } = await context.expect(call, 200)
        context.assert(value.email_exists === false, 'email_exists false for a new address', toJson(value.email_exists))
        const [replayed, without] = [(await context.expect(call, 200)).value, await exists(context, email)]
        context.assert(
          toJson(replayed.email_exists) === without,
          `email_exists ${without}`,
          toJson(replayed.email_exists),
        )
      }
  }

  const outcome = 'already-subscribed'
  return [
    sequenceCheck(successOutcome, 'a refused call stores nothing', RULES.refused, storesNothing),
    sequenceCheck(successOutcome, 'an enquiry does not subscribe', RULES.list, storesNoEnquirer),
    sequenceCheck(successOutcome, 'an Idempotency-Key is ignored here', RULES.key, ignoresKey),
    sequenceCheck(outcome, 'a known address is reported as known', RULES.once, knowsEverywhere),
    sequenceCheck(outcome, 'addresses that differ only in case are one', RULES.case, foldsCase),
    sequenceCheck(outcome, 'addresses that differ in anything else are not', RULES.case, tellsApart),
    sequenceCheck(outcome, `${CONCURRENCY} addresses at once are all stored`, RULES.promise, storesEach),
    sequenceCheck(outcome, `of ${CONCURRENCY} equal calls at once, exactly one is new`, RULES.once, findsOneNew),
  ]
}
