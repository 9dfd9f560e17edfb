import type { FastifyReply, FastifyRequest } from 'fastify'
import type { components, operations } from '../../src/contract.d.ts'
import { isEmail } from '../../src/domain/email.ts'
import { ENQUIRY_FIELDS, type Enquiry, type EnquiryField, firstError, normalize } from '../../src/domain/enquiry.ts'
import type { Store } from '../storage/store.ts'
import type { AccessPolicy } from './access.ts'
import { fieldError } from './field-errors.ts'
import { type FieldError, sendProblem } from './problems.ts'

type Schemas = components['schemas']
type Body<Operation extends keyof operations> = operations[Operation]['requestBody']['content']['application/json']
type Handlers = {
  [Operation in keyof operations]: (
    request: FastifyRequest<{ Body: Body<Operation> }>,
    reply: FastifyReply,
  ) => Promise<FastifyReply>
}

/** Where each field of the domain is in the contract. */
const POINTERS: Readonly<Record<EnquiryField, string>> = {
  first: '/name/first',
  last: '/name/last',
  email: '/email',
  message: '/msg',
}

/** One function for each operationId of the contract. Requests have passed its schemas. */
export function createHandlers(store: Store, { revealExisting }: Pick<AccessPolicy, 'revealExisting'>): Handlers {
  return {
    async subscribe({ body: { email } }, reply) {
      if (!isEmail(email)) return sendProblem(reply, 422, { errors: [fieldError('/email')] })
      const answer = await store.addSubscriber(email)
      if (answer === 'unavailable') return sendProblem(reply, 503)
      const email_exists = revealExisting && answer === 'present'
      return reply.send({ success: true, email_exists } satisfies Schemas['SubscriptionAnswer'])
    },

    async contactUs({ body: { name, email, msg }, headers }, reply) {
      const enquiry: Enquiry = { first: name.first, last: name.last, email, message: msg }
      const errors = enquiryErrors(enquiry)
      if (errors.length > 0) return sendProblem(reply, 422, { errors })
      const key = headers['idempotency-key']
      const answer = await store.addEnquiry(enquiry, typeof key === 'string' ? key : null)
      if (answer === 'unavailable') return sendProblem(reply, 503)
      if (answer === 'key-reused') return sendProblem(reply, 422, KEY_REUSED)
      return reply.send({ success: true } satisfies Schemas['EnquiryAnswer'])
    },
  }
}

const KEY_REUSED = {
  detail: 'This Idempotency-Key was used for another enquiry. Send the new one with a new key.',
  errors: [{ header: 'Idempotency-Key', detail: 'was used for another enquiry' }],
}

// The page normalizes what it sends: a request with anything else comes from another client.
function enquiryErrors(enquiry: Enquiry): FieldError[] {
  const normalized = normalize(enquiry)
  const error = firstError(normalized)
  return ENQUIRY_FIELDS.filter((field) => enquiry[field] !== normalized[field] || error?.field === field).map((field) =>
    fieldError(POINTERS[field]),
  )
}
