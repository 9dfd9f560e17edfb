import type { Operation } from '../../operations.ts'
import type { Context, Row } from '../context.ts'
import { addressOf, newAddress, newLocalPart, request } from '../requests.ts'
import { DURABLE, surviveRestart } from './durability.ts'
import { REFUSALS, REFUSED } from './refused.ts'

const CONCURRENCY = 10
/** How often a race is run: a backend that loses one does so once in a few times. */
const RACES = 4
const NEW = { emailExists: false, why: ' for a new address' }
const OTHER = { emailExists: false, why: ' for another address' }

/** What replaces the dot in `a.b`: nothing, a sign that backends cut at, two dots, or what may stand for any sign. */
const NEAR_DUPLICATES = ['', '+', '..', '_', '%', 'x', "'"]

/** The rows of addresses that were subscribed before, or are at the same time. */
export function addressRows(operation: Operation, others: readonly Operation[], restart: string): Row[] {
  const subscribe = (email: string) => request(operation, { body: { email } })
  return [
    {
      rule: 'Nothing of a refused request is stored.',
      title: 'a refused call stores nothing',
      outcome: operation.successOutcome,
      async run({ first, next }) {
        for (const refuse of REFUSALS) {
          const call = subscribe(newAddress())
          const { status } = await first([200, ...REFUSED], refuse(call))
          if (status !== 200) await next({ emailExists: false, why: ': the call before was refused' }, call)
        }
      },
    },
    {
      rule: 'Adds an address to the list of those who want to hear about upcoming features.',
      title: 'an enquiry does not subscribe',
      outcome: operation.successOutcome,
      async run({ before, next }) {
        for (const other of others.filter(({ name }) => name !== operation.name)) {
          const email = newAddress()
          await before(request(other, { fields: { '/email': email } }))
          await next({ emailExists: false, why: ' for an address that only sent an enquiry' }, subscribe(email))
        }
      },
    },
    {
      rule: '`subscribe` ignores it.',
      title: 'an Idempotency-Key is ignored here',
      outcome: operation.successOutcome,
      async run({ first, next }) {
        const headers = { 'idempotency-key': 'no UUID' }
        await first(NEW, request(operation, { headers }))
        await next(NEW, request(operation, { headers }))
      },
    },
    {
      rule: 'Of any number of equal calls, at once or one after the other, exactly one is answered with `email_exists: false`.',
      title: `of ${CONCURRENCY} equal calls at once, exactly one is new`,
      outcome: 'already-subscribed',
      async run(context) {
        if (!(await reveals(context, operation))) return
        for (let race = 0; race < RACES; race++)
          await context.together(200, Array(CONCURRENCY).fill(subscribe(newAddress())), (answers) => {
            const count = answers.filter(({ value }) => value.email_exists === false).length
            return count === 1
              ? []
              : [{ expected: `email_exists false once of ${CONCURRENCY} times`, actual: `${count} times` }]
          })
      },
    },
    {
      rule: 'Addresses that differ only in the case of ASCII letters are one address, all others are different ones',
      title: 'addresses that differ only in case are one',
      outcome: 'already-subscribed',
      async run(context) {
        const emailExists = await reveals(context, operation)
        const same = { emailExists, why: ', as for the same address in another case' }
        const local = `${newLocalPart()}abcdefghijklmnopqrstuvwxyz`
        await context.first(NEW, subscribe(`${local}@example.com`))
        await context.next(same, subscribe(`${local}@EXAMPLE.COM`), subscribe(`${local}@example.com`.toUpperCase()))
        const upper = `${newLocalPart()}ABC@Example.com`
        await context.first(NEW, subscribe(upper))
        await context.next(same, subscribe(upper.toLowerCase()))
      },
    },
    {
      rule: 'Addresses that differ only in the case of ASCII letters are one address, all others are different ones',
      title: 'addresses that differ in anything else are not',
      outcome: 'already-subscribed',
      async run({ first, next }) {
        const start = newLocalPart()
        await first(NEW, subscribe(`${start}a.b@example.com`))
        await next(OTHER, ...NEAR_DUPLICATES.map((sign) => subscribe(`${start}a${sign}b@example.com`)))
        await next(OTHER, subscribe(`${start}a.b@b.example.com`), subscribe(`${start}xa.b@example.com`))
        // Finds a column that is too short for a long address.
        const long = addressOf(254, 60)
        await first(NEW, subscribe(long))
        await next(OTHER, ...[64, 128, 230].map((at) => subscribe(`${long.slice(0, at)}n${long.slice(at + 1)}`)))
      },
    },
    {
      ...DURABLE,
      async run(context) {
        if (!(await reveals(context, operation))) return
        const newCall = () => {
          const call = subscribe(newAddress())
          return { call, again: call }
        }
        const stored = { emailExists: true, why: ': it was acknowledged before the restart' }
        await surviveRestart(context, restart, newCall, stored)
      },
    },
  ]
}

/** Whether the backend says that an address was subscribed before, which it may keep to itself. */
async function reveals(context: Context, operation: Operation): Promise<boolean> {
  const call = request(operation, { body: { email: newAddress() } })
  await context.first(NEW, call)
  const { value } = await context.next(200, call)
  if (value.email_exists === false)
    context.skip('email_exists is always false: this backend does not reveal who is subscribed')
  return value.email_exists === true
}
