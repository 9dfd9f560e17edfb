import type { Selectable } from 'kysely'
import type { Tables } from '../../server/storage/database.ts'
import type { components } from '../../src/contract.d.ts'
import type { Enquiry, TypedEnquiry } from '../../src/domain/enquiry.ts'

// The only file of the tests that spells an enquiry or a subscription out: a new field is added to these functions.

/** A subscription, as the contract spells it. */
export const subscriptionOf = (email = 'visitor@example.com'): components['schemas']['Subscription'] => ({ email })

/** With every field filled in, as it is typed and as it is sent. */
export const anEnquiry = (fields: Partial<TypedEnquiry> = {}): TypedEnquiry & Enquiry => ({
  first: 'Given',
  last: 'Family',
  email: 'visitor@example.com',
  message: 'When will you start?',
  ...fields,
})

type Body = Required<components['schemas']['Enquiry']>
type Columns = Omit<Selectable<Tables['enquiries']>, 'id' | 'idempotency_key' | 'created_at'>

/** How the contract spells it. */
export const bodyOf = ({ first, last, email, message }: Enquiry): Body => ({
  name: { first, last },
  email,
  msg: message,
})

/** How the database spells it. */
export const columnsOf = ({ first, last, email, message }: Enquiry): Columns => ({
  first_name: first,
  last_name: last,
  email,
  message,
})
