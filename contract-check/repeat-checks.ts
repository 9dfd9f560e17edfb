import { type Check, checkOf, invalidFor, type Make, takenBy } from './check.ts'
import type { Operation } from './contract.ts'
import { post, put, type Requests } from './requests.ts'
import type { Trial } from './trial.ts'

const AT_ONCE = 50
const HIDDEN = 'email_exists is always false: this backend does not tell who is listed'

/** What a second call is told, after the first or at the same time. */
export const repeatChecks: Make = (operation, requests) => {
  if (operation.name === 'subscribe') return duplicates(operation, requests)
  return operation.name === 'contactUs' ? idempotency(operation, requests) : []
}

function duplicates(operation: Operation, { address }: Requests): Check[] {
  const check = (title: string, run: (trial: Trial) => Promise<unknown>, quick = false) =>
    checkOf(operation)('already-subscribed', title, run, quick)
  const exists = async (trial: Trial, email: string) =>
    (await trial.expect(post(operation, { email }), 200)).value.email_exists

  /** Subscribes an address and tells whether repeats will be called so. */
  async function first(trial: Trial, email: string) {
    const before = await exists(trial, email)
    trial.must(before === false, 'email_exists false for a new address', String(before))
    const after = await exists(trial, email)
    if (after === false) trial.note(HIDDEN)
    return after
  }

  return [
    check('a known address is called so', (trial) => first(trial, address()), true),
    check('addresses that differ only in case are one', async (trial) => {
      const email = address()
      const known = await first(trial, email)
      const [local, domain] = email.split('@')
      for (const same of [`${local}@${domain?.toUpperCase()}`, `${local?.toUpperCase()}@${domain}`, email]) {
        const told = await exists(trial, same)
        trial.must(told === known, `email_exists ${known}, as for the address in lower case`, String(told))
      }
    }),
    check(`of ${AT_ONCE} equal calls at once, exactly one is new`, async (trial) => {
      const email = address()
      const told = await Promise.all(Array.from({ length: AT_ONCE }, () => exists(trial, email)))
      const isHidden = (await exists(trial, email)) === false
      const news = told.filter((exists) => exists === false).length
      if (isHidden) trial.note(HIDDEN)
      trial.must(news === (isHidden ? AT_ONCE : 1), `email_exists false once of ${AT_ONCE} times`, `${news} times`)
    }),
  ]
}

function idempotency(operation: Operation, { body, key, mark }: Requests): Check[] {
  const check = checkOf(operation)
  const send = (trial: Trial, enquiry: unknown, key: string, status: number) =>
    trial.expect(post(operation, enquiry, { 'idempotency-key': key }), status)
  const other = (enquiry: object) => put(enquiry, '/msg', 'Another message')
  const taken = takenBy(operation)

  return [
    check(taken, 'an equal enquiry with the same key is taken, in any order and writing', async (trial) => {
      const [enquiry, ours] = [body(operation), key()]
      const reversed = Object.fromEntries(Object.entries(enquiry).reverse())
      for (const same of [enquiry, enquiry, JSON.stringify(reversed, null, 2).replaceAll('@', '\\u0040')]) {
        await send(trial, same, ours, 200)
      }
      await send(trial, enquiry, ours.toUpperCase(), 200)
    }),
    check(taken, 'ten equal enquiries at once with one key are taken', async (trial) => {
      const [enquiry, ours] = [body(operation), key()]
      await Promise.all(Array.from({ length: 10 }, () => send(trial, enquiry, ours, 200)))
    }),
    check(taken, 'without a key, an equal enquiry is taken again', async (trial) => {
      const enquiry = body(operation)
      for (let time = 0; time < 2; time++) await trial.expect(post(operation, enquiry), 200)
    }),
    check(taken, 'a refused enquiry leaves its key free', async (trial) => {
      const [enquiry, ours] = [body(operation), key()]
      await send(trial, put(enquiry, '/email', 'no address'), ours, 422)
      await send(trial, enquiry, ours, 200)
    }),
    check(
      'key-reused',
      'another enquiry with the same key is refused',
      async (trial) => {
        const [enquiry, ours] = [body(operation), key()]
        await send(trial, enquiry, ours, 200)
        await send(trial, other(enquiry), ours, 422)
      },
      true,
    ),
    check('key-reused', 'keys that differ only in case are one', async (trial) => {
      const [enquiry, ours] = [body(operation), `abcdef${key().slice(6)}`]
      await send(trial, enquiry, ours, 200)
      await send(trial, other(enquiry), ours.toUpperCase(), 422)
    }),
    check('key-reused', 'of two enquiries at once with one key, one is taken', async (trial) => {
      for (let pair = 0; pair < 5; pair++) {
        const [enquiry, ours] = [body(operation), key()]
        const calls = [enquiry, other(enquiry)].map((each) => post(operation, each, { 'idempotency-key': ours }))
        const both = await Promise.all(calls.map((call) => trial.judge(call, 200)))
        const statuses = both.map(({ answer }) => answer.status).sort()
        trial.must(statuses.join() === '200,422', '200 for one and 422 for the other', statuses.join(' and '))
      }
    }),
    check(invalidFor(operation), 'a key that is no UUID is refused', async (trial) => {
      for (const wrong of [`no-uuid-${mark}`, key().slice(1), `{${key()}}`])
        await send(trial, body(operation), wrong, 422)
    }),
  ]
}
