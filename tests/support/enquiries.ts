import type { components } from '../../contract/contract.d.ts'
import type { StoredEnquiry } from '../../server/storage/database.ts'
import type { Enquiry } from '../../src/domain/enquiry-fields.ts'

// Only this file of the tests lists the fields of an enquiry or a subscription: add a new field to these functions.

/** A subscription in the form of the contract. */
export const subscriptionOf = (email = 'visitor@example.com'): components['schemas']['Subscription'] => ({ email })

/** An enquiry with every field filled in. What is typed is what is sent. */
export const anEnquiry = (fields: Partial<Enquiry> = {}): Enquiry => ({
  first: 'Given',
  last: 'Family',
  email: 'visitor@example.com',
  message: 'When will you start?',
  ...fields,
})

type Body = Required<components['schemas']['Enquiry']>
type Columns = Omit<StoredEnquiry, 'id' | 'idempotency_key' | 'created_at' | `mail_${string}`>

/** An enquiry in the form of the contract. */
export const bodyOf = ({ first, last, email, message }: Enquiry): Body => ({
  name: { first, last },
  email,
  msg: message,
})

/** An enquiry as columns of the database. */
export const columnsOf = ({ first, last, email, message }: Enquiry): Columns => ({
  first_name: first,
  last_name: last,
  email,
  message,
})
