import { type Operation, toJson } from '../contract/operations.ts'
import { type CheckContext, type Planned, sequenceCheck } from './context.ts'
import { addressOf, bodyOf, newAddress, newLocalPart, REFUSED, request, SPOILERS } from './requests.ts'

const CONCURRENCY = 20
/** A backend that loses a race does so once in a few times. */
export const RACES = 10
const HIDDEN = 'email_exists is always false: this backend does not reveal who is subscribed'

const RULES = {
  case: 'Addresses that differ only in the case of ASCII letters are one address, all others are different ones',
  once: 'Of any number of equal calls, at once or one after the other, exactly one is answered with `email_exists: false`.',
  refused: 'Nothing of a refused request is stored.',
  key: '`subscribe` ignores it.',
  list: 'Adds an address to the list of those who want to hear about upcoming features.',
} as const

/** Replaces the character at `index`. */
const changed = (text: string, index: number, to: string) => text.slice(0, index) + to + text.slice(index + 1)

/** Pairs of addresses that are not the same, of which the first is subscribed. */
function differentPairs(): (readonly [stored: string, other: string])[] {
  const [dots, underscore, percent, more, quote, plus] = [0, 0, 0, 0, 0, 0].map(newLocalPart)
  const long = addressOf(254, 60)
  const at = '@example.com'
  return [
    [`${dots}.a.b${at}`, `${dots}.ab${at}`],
    [`${dots}.c${at}`, `${dots}.c.${at}`],
    [`${underscore}axb${at}`, `${underscore}a_b${at}`],
    [`${underscore}c_d${at}`, `${underscore}cxd${at}`],
    [`${percent}abcd${at}`, `${percent}a%d${at}`],
    [`${percent}e%h${at}`, `${percent}efgh${at}`],
    [`${more}${at}`, `${more}${at}.example.com`],
    [`${more}b${at}`, `${more}${at.replace('@', '@b.')}`],
    [`${quote}'a${at}`, `${quote}a${at}`],
    [`${plus}+a${at}`, `${plus}+b${at}`],
    [`${plus}-${at}`, `${plus}_${at}`],
    [`${plus}\`${at}`, `${plus}'${at}`],
    [long, changed(long, 253, 'n')],
    [long, changed(long, 64, 'x')],
    [long, changed(long, 128, 'x')],
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

  async function foldsCase(context: CheckContext) {
    const domain = '@example.com'
    // Locales differ in the case of I.
    for (const local of [`${newLocalPart()}i`, `${newLocalPart()}I`]) {
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

  const outcome = 'already-subscribed'
  return [
    sequenceCheck(successOutcome, 'a refused call stores nothing', RULES.refused, storesNothing),
    sequenceCheck(successOutcome, 'an enquiry does not subscribe', RULES.list, storesNoEnquirer),
    sequenceCheck(successOutcome, 'an Idempotency-Key is ignored here', RULES.key, (context) =>
      context.expect(request('POST', path, { email: newAddress() }, { 'idempotency-key': 'any' }), 200),
    ),
    sequenceCheck(outcome, 'a known address is reported as known', RULES.once, (context) =>
      repeated(context, newAddress()),
    ),
    sequenceCheck(outcome, 'addresses that differ only in case are one', RULES.case, foldsCase),
    sequenceCheck(outcome, 'addresses that differ in anything else are not', RULES.case, tellsApart),
    sequenceCheck(outcome, `of ${CONCURRENCY} equal calls at once, exactly one is new`, RULES.once, findsOneNew),
  ]
}
