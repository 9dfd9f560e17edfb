import type { Operation } from './contract.ts'
import { address, bodyOf, MARK, put, request } from './requests.ts'
import { type Check, inTurn, type Step, type Trial } from './trial.ts'

const AT_ONCE = 50
const HIDDEN = 'email_exists is always false: this backend does not tell who is listed'

/** What a second call is told, after the first or at the same time. */
export function repeatChecks(operation: Operation): Check[] {
  if (operation.name === 'subscribe') return duplicateChecks(operation)
  return operation.name === 'contactUs' ? idempotencyChecks(operation) : []
}

function duplicateChecks({ path }: Operation): Check[] {
  const exists = async (trial: Trial, email: string) =>
    (await trial.expect(request('POST', path, { email }), 200)).value.email_exists

  /** Subscribes an address twice and gives what repeats are told. */
  async function repeated(trial: Trial, email: string) {
    const before = await exists(trial, email)
    trial.must(before === false, 'email_exists false for a new address', String(before))
    const after = await exists(trial, email)
    if (after === false) trial.note(HIDDEN)
    return after
  }

  async function foldsCase(trial: Trial) {
    const email = address()
    const known = await repeated(trial, email)
    const [local, domain] = email.split('@')
    for (const same of [`${local}@${domain?.toUpperCase()}`, `${local?.toUpperCase()}@${domain}`, email]) {
      const told = await exists(trial, same)
      trial.must(told === known, `email_exists ${known}, as for the address in lower case`, String(told))
    }
  }

  async function findsOneNew(trial: Trial) {
    const email = address()
    const told = await Promise.all(Array.from({ length: AT_ONCE }, () => exists(trial, email)))
    const isHidden = (await exists(trial, email)) === false
    const news = told.filter((exists) => exists === false).length
    if (isHidden) trial.note(HIDDEN)
    trial.must(news === (isHidden ? AT_ONCE : 1), `email_exists false once of ${AT_ONCE} times`, `${news} times`)
  }

  const outcome = 'already-subscribed'
  return [
    { outcome, title: 'a known address is called so', run: (trial) => repeated(trial, address()) },
    { outcome, title: 'addresses that differ only in case are one', run: foldsCase },
    { outcome, title: `of ${AT_ONCE} equal calls at once, exactly one is new`, run: findsOneNew },
  ]
}

function idempotencyChecks(operation: Operation): Check[] {
  const { path, taken, invalid } = operation
  const other = (enquiry: object) => put(enquiry, '/msg', 'Another message')
  const reversed = (enquiry: object) => Object.fromEntries(Object.entries(enquiry).reverse())
  const rewritten = (enquiry: object) => JSON.stringify(reversed(enquiry), null, 2).replaceAll('@', '\\u0040')
  const send = (enquiry: unknown, key = '') => request('POST', path, enquiry, { 'idempotency-key': key })

  /** What is done with an enquiry and a key that were never sent. */
  type Steps = (enquiry: object, key: string) => Step[]
  const checks = (outcome: string, stepsByTitle: Record<string, Steps>): Check[] =>
    Object.entries(stepsByTitle).map(([title, stepsWith]) => {
      return { outcome, title, run: inTurn(...stepsWith(bodyOf(operation), newKey())) }
    })

  async function takesTenAtOnce(trial: Trial) {
    const call = send(bodyOf(operation), newKey())
    await Promise.all(Array.from({ length: 10 }, () => trial.expect(call, 200)))
  }

  async function takesOneOfTwo(trial: Trial) {
    for (let pair = 0; pair < 5; pair++) {
      const [enquiry, key] = [bodyOf(operation), newKey()]
      const both = await Promise.all([enquiry, other(enquiry)].map((body) => trial.judge(send(body, key), 200)))
      const statuses = both.map(({ answer }) => answer.status).sort()
      trial.must(statuses.join() === '200,422', '200 for one and 422 for the other', statuses.join(' and '))
    }
  }

  return [
    ...checks(taken, {
      'an equal enquiry with the same key is taken, in any order and writing': (enquiry, key) => [
        [200, send(enquiry, key), send(enquiry, key), send(rewritten(enquiry), key), send(enquiry, key.toUpperCase())],
      ],
      'without a key, an equal enquiry is taken again': (enquiry) => [[200, send(enquiry), send(enquiry)]],
      'a refused enquiry leaves its key free': (enquiry, key) => [
        [422, send(put(enquiry, '/email', 'no address'), key)],
        [200, send(enquiry, key)],
      ],
    }),
    { outcome: taken, title: 'ten equal enquiries at once with one key are taken', run: takesTenAtOnce },
    ...checks('key-reused', {
      'another enquiry with the same key is refused': (enquiry, key) => [
        [200, send(enquiry, key)],
        [422, send(other(enquiry), key)],
      ],
      'keys that differ only in case are one': (enquiry, key) => [
        [200, send(enquiry, key)],
        [422, send(other(enquiry), key.toUpperCase())],
      ],
    }),
    { outcome: 'key-reused', title: 'of two enquiries at once with one key, one is taken', run: takesOneOfTwo },
    ...checks(invalid, {
      'a key that is no UUID is refused': (enquiry, key) => [
        [422, ...[`no-uuid-${MARK}`, key.slice(1), `{${key}}`].map((wrong) => send(enquiry, wrong))],
      ],
    }),
  ]
}

/** With letters in it, so that it has capitals. */
const newKey = () => `abcdef${crypto.randomUUID().slice(6)}`
