import type { Operation } from '../../operations.ts'
import { type Check, type CheckContext, rowsOf } from '../check.ts'
import { addressOf, newAddress, newLocalPart, request } from '../requests.ts'
import { NEAR_DUPLICATE_ADDRESSES } from '../samples.ts'
import { REFUSALS, REFUSED } from './refused.ts'

const CONCURRENCY = 20
/** A backend that loses a race does so once in a few times. */
const RACES = 4
const NEW = { emailExists: false, why: ' for a new address' }
const OTHER = { emailExists: false, why: ' for another address' }

/** What an address is answered that was subscribed before, or at the same time. */
export function addressChecks(operation: Operation, others: readonly Operation[]): Check[] {
  const subscribed = rowsOf(operation, operation.successOutcome)
  const known = rowsOf(operation, 'already-subscribed')
  const subscribe = (email: string) => request(operation, { body: { email } })
  return [
    ...subscribed('Nothing of a refused request is stored.', {
      async 'a refused call stores nothing'({ first, next }) {
        for (const refuse of REFUSALS) {
          const call = subscribe(newAddress())
          const { status } = await first([200, ...REFUSED], refuse(call))
          if (status !== 200) await next({ emailExists: false, why: ': the call before was refused' }, call)
        }
      },
    }),
    ...subscribed('Adds an address to the list of those who want to hear about upcoming features.', {
      async 'an enquiry does not subscribe'({ exchange, each }) {
        for (const other of others.filter(({ name }) => name !== operation.name)) {
          const email = newAddress()
          await exchange(request(other, { fields: { '/email': email } }))
          await each({ emailExists: false, why: ' for an address that only sent an enquiry' }, subscribe(email))
        }
      },
    }),
    ...subscribed('`subscribe` ignores it.', {
      async 'an Idempotency-Key is ignored here'({ first, next }) {
        for (const key of ['any', crypto.randomUUID()])
          for (const email of [newAddress(), newAddress()]) {
            const call = request(operation, { body: { email }, headers: { 'idempotency-key': key } })
            await first(NEW, call)
            const { value } = await next(200, subscribe(email))
            await next({ emailExists: value.email_exists === true, why: ', as without the key' }, call)
          }
      },
    }),
    ...known(
      'Of any number of equal calls, at once or one after the other, exactly one is answered with `email_exists: false`.',
      {
        async 'a known address is reported as known'(context) {
          const call = subscribe(newAddress())
          const [, again] = await context.overOneConnection([200, call, call])
          const emailExists = again?.value.email_exists === true
          context.cookies.forget()
          await context.next({ emailExists, why: ', as over the connection that subscribed it' }, call)
          await reveals(context, operation)
        },
        async [`of ${CONCURRENCY} equal calls at once, exactly one is new`](context) {
          if (!(await reveals(context, operation))) return
          for (let race = 0; race < RACES && !context.isLost(); race++) {
            const answers = await context.together(200, Array(CONCURRENCY).fill(subscribe(newAddress())))
            const newCount = answers.filter(({ value }) => value.email_exists === false).length
            context.assert(newCount === 1, `email_exists false once of ${CONCURRENCY} times`, `${newCount} times`)
          }
        },
      },
    ),
    ...known('**An answer with `success: true` is a promise.**', {
      async [`${CONCURRENCY} addresses at once are all stored`](context) {
        if (!(await reveals(context, operation))) return
        const calls = Array.from({ length: CONCURRENCY }, () => subscribe(newAddress()))
        await context.together(200, calls)
        await context.each({ emailExists: true, why: ': it was stored' }, ...calls)
      },
    }),
    ...known('Addresses that differ only in the case of ASCII letters are one address, all others are different ones', {
      async 'addresses that differ only in case are one'(context) {
        const same = {
          emailExists: await reveals(context, operation),
          why: ', as for the same address in another case',
        }
        const lower = `${newLocalPart()}abcdefghijklmnopqrstuvwxyz`
        for (const local of [lower, `${newLocalPart()}ABCDEFGHIJKLMNOPQRSTUVWXYZ`]) {
          const email = `${local}@example.com`
          await context.first(NEW, subscribe(email))
          await context.next(same, subscribe(`${local}@EXAMPLE.COM`), subscribe(`${local.toUpperCase()}@example.com`))
          await context.next(same, subscribe(email.toUpperCase()), subscribe(email.toLowerCase()))
        }
      },
      async 'addresses that differ in anything else are not'({ first, next }) {
        for (const [one = '', ...others] of nearDuplicates()) {
          await first(NEW, subscribe(one))
          await next(OTHER, ...others.map(subscribe))
        }
      },
    }),
  ]
}

/** Whether an address that is subscribed twice is told to be known: a backend may keep that to itself. */
async function reveals(context: CheckContext, operation: Operation): Promise<boolean> {
  const call = request(operation, { body: { email: newAddress() } })
  await context.first(NEW, call)
  const { value } = await context.next(200, call)
  if (value.email_exists === false)
    context.note('email_exists is always false: this backend does not reveal who is subscribed')
  return value.email_exists === true
}

/** Groups of addresses that are all different. */
function nearDuplicates(): string[][] {
  const [start, inner, outer] = [newLocalPart(), newLocalPart(), newLocalPart()]
  const longLocal = newLocalPart().padEnd(63, 'a')
  const long = addressOf(254, 60)
  return [
    NEAR_DUPLICATE_ADDRESSES.map((end) => `${start}${end}`),
    [`${inner}@example.com`, `${outer}.${inner}@example.com`],
    [`${longLocal}a@example.com`, `${longLocal}b@example.com`],
    // With another character at one place each.
    [long, ...[64, 99, 128, 191, 253].map((place) => `${long.slice(0, place)}n${long.slice(place + 1)}`)],
  ]
}
