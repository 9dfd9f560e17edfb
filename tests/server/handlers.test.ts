import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHandlers } from '../../server/http/handlers.ts'
import { expectProblem } from '../support/server/problem.ts'

// Without the contract's schemas in front, the domain's checks stand alone.
const store = {
  addSubscriber: vi.fn(),
  addEnquiry: vi.fn(),
  checkReadiness: vi.fn(),
  waiting: vi.fn(),
  close: async () => {},
}
let app: FastifyInstance
beforeAll(() => {
  const handlers = createHandlers(store, { revealExisting: true })
  app = fastify().post('/subscribe', handlers.subscribe).post('/contact-us', handlers.contactUs)
})
afterAll(() => app.close())

const pointers = ({ errors }: { errors: { pointer: string }[] }) => errors.map(({ pointer }) => pointer)

test.each(['', 'plain', ' visitor@example.com', 'a@b', 'a@b..co'])('the domain refuses "%s"', async (email) => {
  const answer = await app.inject({ method: 'POST', url: '/subscribe', payload: { email } })
  expect(pointers(expectProblem(answer, 422))).toEqual(['/email'])
  expect(store.addSubscriber).not.toHaveBeenCalled()
})

const ENQUIRY = { name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg: 'Hello' }

test.each([
  ['an empty name', { ...ENQUIRY, name: { first: '', last: 'Family' } }, ['/name/first']],
  ['untidy names', { ...ENQUIRY, name: { first: 'Given ', last: 'Fam\nily' } }, ['/name/first', '/name/last']],
  ['no address', { ...ENQUIRY, email: 'plain' }, ['/email']],
  ['an untidy message', { ...ENQUIRY, msg: 'Hello\u0000' }, ['/msg']],
  ['an empty message', { ...ENQUIRY, msg: '' }, ['/msg']],
])('the domain refuses %s', async (_, payload, expected) => {
  const answer = await app.inject({ method: 'POST', url: '/contact-us', payload })
  expect(pointers(expectProblem(answer, 422))).toEqual(expected)
  expect(store.addEnquiry).not.toHaveBeenCalled()
})
