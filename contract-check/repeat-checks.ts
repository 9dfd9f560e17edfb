import type { Planned } from './checks.ts'
import type { Call } from './client.ts'
import { inJson, type Operation } from './contract.ts'
import { address, bodyOf, MARK, put, request } from './requests.ts'
import { inTurn, namedIn, type Trial } from './trial.ts'

const AT_ONCE = 20
/** Of a race that has no pause in it, one in a few goes wrong. */
const RACES = 10
const HIDDEN = 'email_exists is always false: this backend does not tell who is listed'

/** What a second call is told, after the first or at the same time. */
export function repeatChecks(operation: Operation): Planned[] {
  if (operation.name === 'subscribe') return duplicateChecks(operation)
  return operation.name === 'contactUs' ? idempotencyChecks(operation) : []
}

function duplicateChecks({ path }: Operation): Planned[] {
  const subscribe = (email: string) => request('POST', path, { email })
  const exists = async (trial: Trial, email: string) =>
    inJson((await trial.expect(subscribe(email), 200)).value.email_exists)

  /** Subscribes an address twice and gives what repeats are told. */
  async function repeated(trial: Trial, email: string) {
    const before = await exists(trial, email)
    trial.must(before === 'false', 'email_exists false for a new address', before)
    const after = await exists(trial, email)
    if (after === 'false') trial.note(HIDDEN)
    return after
  }

  async function foldsCase(trial: Trial) {
    const email = address()
    const known = await repeated(trial, email)
    const [local, domain] = email.split('@')
    for (const same of [`${local}@${domain?.toUpperCase()}`, `${local?.toUpperCase()}@${domain}`, email]) {
      const told = await exists(trial, same)
      trial.must(told === known, `email_exists ${known}, as for the address in lower case`, told)
    }
  }

  async function findsOneNew(trial: Trial) {
    for (let race = 0; race < RACES && !trial.isLost(); race++) {
      const email = address()
      const told = await trial.expectTogether(Array(AT_ONCE).fill(subscribe(email)), 200)
      const isHidden = (await exists(trial, email)) === 'false'
      const news = told.filter(({ value }) => value.email_exists === false).length
      if (isHidden) {
        trial.note(HIDDEN)
        return
      }
      trial.must(news === 1, `email_exists false once of ${AT_ONCE} times`, `${news} times`)
    }
  }

  const outcome = 'already-subscribed'
  return [
    { outcome, title: 'a known address is called so', run: (trial) => repeated(trial, address()) },
    { outcome, title: 'addresses that differ only in case are one', run: foldsCase },
    { outcome, title: `of ${AT_ONCE} equal calls at once, exactly one is new`, run: findsOneNew },
  ]
}

function idempotencyChecks(operation: Operation): Planned[] {
  const { path, taken, invalid, fields } = operation
  const texts = fields.map(({ pointer }) => pointer).filter((pointer) => pointer !== '/email')
  const send = (body: unknown, key: string | null = null) => request('POST', path, body, { 'idempotency-key': key })

  /** Calls with an enquiry and a key that were never sent; its key has letters, and so capitals. */
  function draw() {
    const enquiry = bodyOf(operation)
    const reversed = Object.fromEntries(Object.entries(enquiry).reverse())
    const others = [...texts.map((pointer) => put(enquiry, pointer, 'Another')), put(enquiry, '/email', address())]
    const [other] = others
    const key = `abcdef${crypto.randomUUID().slice(6)}`
    return {
      first: send(enquiry, key),
      capitals: send(enquiry, key.toUpperCase()),
      rewritten: send(JSON.stringify(reversed, null, 2).replaceAll('@', '\\u0040'), key),
      keyless: send(enquiry),
      refused: send(put(enquiry, '/email', 'no address'), key),
      other: send(other, key),
      others: others.map((other) => send(other, key)),
      otherInCapitals: send(other, key.toUpperCase()),
      emptyKey: send(enquiry, ''),
      wrongKeys: [`no-uuid-${MARK}`, key.slice(1), `${key}0`, `${key} x`, `{${key}}`].map((wrong) =>
        send(enquiry, wrong),
      ),
    }
  }

  const namesTheKey = (first: Call, other: Call) => async (trial: Trial) => {
    await trial.expect(first, 200)
    const { status, value } = await trial.expect(other, 422)
    const isNamed = namedIn(value).includes('header idempotency-key')
    if (status === 422) trial.must(isNamed, '/errors name the header Idempotency-Key', inJson(value.errors))
  }

  async function takesOneOfTwo(trial: Trial) {
    for (const { first, other } of Array.from({ length: RACES }, draw)) {
      if (trial.isLost()) return
      const both = await trial.expectTogether([first, other], [200, 422])
      const statuses = both.map(({ status }) => status).sort()
      trial.must(statuses.join() === '200,422', '200 for one and 422 for the other', statuses.join(' and '))
    }
  }

  type Runs = Record<string, (drawn: ReturnType<typeof draw>) => (trial: Trial) => Promise<unknown>>
  const checks = (outcome: string, runs: Runs): Planned[] =>
    Object.entries(runs).map(([title, runWith]) => ({ outcome, title, run: runWith(draw()) }))

  return [
    ...checks(taken, {
      'an equal enquiry with the same key is taken, in any order and writing': ({ first, rewritten, capitals }) =>
        inTurn([200, first, first, rewritten, capitals]),
      'ten equal enquiries at once with one key are taken':
        ({ first }) =>
        (trial) =>
          trial.expectTogether(Array(10).fill(first), 200),
      'without a key, an equal enquiry is taken again': ({ keyless }) => inTurn([200, keyless, keyless]),
      'a refused enquiry leaves its key free': ({ refused, first }) => inTurn([422, refused], [200, first]),
    }),
    ...checks('key-reused', {
      'another enquiry with the same key is refused': ({ first, others }) => inTurn([200, first], [422, ...others]),
      'the key is named as what is at fault': ({ first, other }) => namesTheKey(first, other),
      'keys that differ only in case are one': ({ first, otherInCapitals }) =>
        inTurn([200, first], [422, otherInCapitals]),
      'of two enquiries at once with one key, one is taken': () => takesOneOfTwo,
    }),
    ...checks(invalid, {
      'a key that is no UUID is refused': ({ wrongKeys }) => inTurn([422, ...wrongKeys]),
      'an empty key is refused': ({ emptyKey }) => inTurn([422, emptyKey]),
    }),
  ]
}
