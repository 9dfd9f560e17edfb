import type { FastifyReply, FastifyRequest } from 'fastify'
import type { components, operations } from '../../contract/contract.d.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../storage/store.ts'
import { sendProblem } from './problems.ts'

type Schemas = components['schemas']
type Body<Operation extends keyof operations> = operations[Operation]['requestBody']['content']['application/json']
type Handlers = {
  [Operation in keyof operations]: (
    request: FastifyRequest<{ Body: Body<Operation> }>,
    reply: FastifyReply,
  ) => Promise<FastifyReply>
}

/** The fields that a handler does not read: there are none. If the contract gets a new field, `satisfies` is an error. */
type NoOtherField = Readonly<Record<string, never>>

/** One function for each operation. The contract's schemas have checked the requests as strictly as the page does. */
export function createHandlers(store: Store, { REVEAL_EXISTING }: Pick<Settings, 'REVEAL_EXISTING'>): Handlers {
  return {
    async subscribe({ body: { email, ...others } }, reply) {
      others satisfies NoOtherField
      const answer = await store.addSubscriber(email)
      if (answer === 'unavailable') return sendProblem(reply, 503)
      const email_exists = REVEAL_EXISTING && answer === 'present'
      return reply.send({ success: true, email_exists } satisfies Schemas['SubscriptionAnswer'])
    },

    async contactUs({ body: { name, email, msg, ...others }, headers }, reply) {
      const { first, last, ...otherNames } = name
      others satisfies NoOtherField
      otherNames satisfies NoOtherField
      const enquiry = { first, last, email, message: msg }
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
