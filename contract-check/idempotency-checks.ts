import { type Operation, toJson } from '../contract/operations.ts'
import type { Call } from './client.ts'
import { type CheckContext, namedErrors, type Planned, sequence } from './context.ts'
import { bodyOf, newAddress, RUN_ID, request, setAt } from './requests.ts'

const CONCURRENCY = 20
/** A backend that loses a race does so once in a few times. */
const RACES = 10
const HIDDEN = 'email_exists is always false: this backend does not reveal who is subscribed'

/** What a second call is answered, after the first or at the same time. */
export function repeatedCallChecks(operation: Operation): Planned[] {
  if (operation.name === 'subscribe') return duplicateChecks(operation)
  return operation.name === 'contactUs' ? idempotencyChecks(operation) : []
}

function duplicateChecks({ path }: Operation): Planned[] {
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
    const email = newAddress()
    const known = await repeated(context, email)
    const [local, domain] = email.split('@')
    for (const same of [`${local}@${domain?.toUpperCase()}`, `${local?.toUpperCase()}@${domain}`, email]) {
      const answered = await exists(context, same)
      context.assert(answered === known, `email_exists ${known}, as for the address in lower case`, answered)
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

  const outcome = 'already-subscribed'
  return [
    { outcome, title: 'a known address is reported as known', run: (context) => repeated(context, newAddress()) },
    { outcome, title: 'addresses that differ only in case are one', run: foldsCase },
    { outcome, title: `of ${CONCURRENCY} equal calls at once, exactly one is new`, run: findsOneNew },
  ]
}

function idempotencyChecks(operation: Operation): Planned[] {
  const { path, successOutcome, invalidOutcome, fields, isRequest } = operation
  const send = (body: unknown, key: string | null = null) => request('POST', path, body, { 'idempotency-key': key })

  /** Calls with a new enquiry and a new key. The key has letters, so that capitals differ. */
  function makeCalls() {
    const enquiry = bodyOf(operation)
    const reversed = Object.fromEntries(Object.entries(enquiry).reverse())
    const others = [
      ...fields.map(({ pointer }) => setAt(enquiry, pointer, 'Another')).filter((other) => isRequest(other)),
      setAt(enquiry, '/email', newAddress()),
    ]
    const [other] = others
    const key = `abcdef${crypto.randomUUID().slice(6)}`
    return {
      first: send(enquiry, key),
      capitals: send(enquiry, key.toUpperCase()),
      rewritten: send(JSON.stringify(reversed, null, 2).replaceAll('@', '\\u0040'), key),
      keyless: send(enquiry),
      refused: send(setAt(enquiry, '/email', 'no address'), key),
      other: send(other, key),
      others: others.map((other) => send(other, key)),
      otherInCapitals: send(other, key.toUpperCase()),
      emptyKey: send(enquiry, ''),
      otherVersions: ['1', '7', '0'].map((version) => send(enquiry, key.slice(0, 14) + version + key.slice(15))),
      wrongKeys: [`no-uuid-${RUN_ID}`, key.replaceAll('-', ''), key.slice(1), `${key}0`, `${key} x`, `{${key}}`].map(
        (wrong) => send(enquiry, wrong),
      ),
    }
  }

  const namesTheKey = (first: Call, other: Call) => async (context: CheckContext) => {
    await context.expect(first, 200)
    const { status, value } = await context.expect(other, 422)
    const isNamed = namedErrors(value).includes('header idempotency-key')
    if (status === 422) context.assert(isNamed, '/errors name the header Idempotency-Key', toJson(value.errors))
  }

  async function acceptsOneOfTwo(context: CheckContext) {
    for (const { first, other } of Array.from({ length: RACES }, makeCalls)) {
      if (context.isLost()) return
      const both = await context.expectTogether([first, other], [200, 422])
      const statuses = both.map(({ status }) => status).sort()
      context.assert(statuses.join() === '200,422', '200 for one and 422 for the other', statuses.join(' and '))
    }
  }

  type Runs = Record<string, (calls: ReturnType<typeof makeCalls>) => (context: CheckContext) => Promise<unknown>>
  const checks = (outcome: string, runs: Runs): Planned[] =>
    Object.entries(runs).map(([title, runWith]) => ({ outcome, title, run: runWith(makeCalls()) }))

  return [
    ...checks(successOutcome, {
      'an equal enquiry with the same key is accepted, in any order and writing': ({ first, rewritten, capitals }) =>
        sequence([200, first, first, rewritten, capitals]),
      'ten equal enquiries at once with one key are accepted':
        ({ first }) =>
        (context) =>
          context.expectTogether(Array(10).fill(first), 200),
      'a key of any UUID version is accepted': ({ otherVersions }) => sequence([200, ...otherVersions]),
      'without a key, an equal enquiry is accepted again': ({ keyless }) => sequence([200, keyless, keyless]),
      'a refused enquiry leaves its key free': ({ refused, first }) => sequence([422, refused], [200, first]),
    }),
    ...checks('key-reused', {
      'another enquiry with the same key is refused': ({ first, others }) => sequence([200, first], [422, ...others]),
      'the key is named as what is at fault': ({ first, other }) => namesTheKey(first, other),
      'keys that differ only in case are one': ({ first, otherInCapitals }) =>
        sequence([200, first], [422, otherInCapitals]),
      'of two enquiries at once with one key, one is accepted': () => acceptsOneOfTwo,
    }),
    ...checks(invalidOutcome, {
      'a key that is not a UUID is refused': ({ wrongKeys }) => sequence([422, ...wrongKeys]),
      'an empty key is refused': ({ emptyKey }) => sequence([422, emptyKey]),
    }),
  ]
}
