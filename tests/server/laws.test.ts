import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isEmail } from '../../src/domain/email.ts'
import { type Enquiry, firstProblem, MAX_LENGTH, review } from '../../src/domain/enquiry.ts'
import { buildTestApp, type TestApp } from '../support/build-test-app.ts'
import { requestValidator } from '../support/contract.ts'

let server: TestApp
beforeAll(async () => {
  server = await buildTestApp()
})
afterAll(() => server.close())

const RUNS = { numRuns: 400 }

const statusOf = async (path: string, body: unknown) => (await server.post(path, JSON.stringify(body))).statusCode

// Short parts of what matters, so that valid and nearly valid ones are both frequent.
const emailLike = fc
  .array(fc.constantFrom('a', 'B', '7', '.', '@', '@b.co', '-', '+', "'", ' ', 'é', '\n', '\u0000', '_'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
const email = fc.oneof(emailLike, fc.emailAddress(), fc.string({ unit: 'binary' }))
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(fc.constantFrom('x', ' ', '\u00a0', '\ufeff', '\n', '\t', '\u0000', '\u0085', '\u2028', '\ud800', '😀'), {
      maxLength: 4,
    })
    .map((parts) => parts.join('')),
  fc.integer({ min: 98, max: 102 }).map((length) => '😀'.repeat(length)),
  fc.integer({ min: 4998, max: 5002 }).map((length) => 'ü'.repeat(length)),
)
const oddOr = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) })

test('an address is taken if and only if the domain and the contract both take it', async () => {
  const isValid = requestValidator('subscribe')
  const body = oddOr(fc.record({ email: oddOr(email) }, { requiredKeys: [] }))
  await fc.assert(
    fc.asyncProperty(body, async (body) => {
      const accepted = isValid(body) && isEmail((body as { email: string }).email)
      expect(await statusOf('/api/subscribe', body)).toBe(accepted ? 200 : 422)
    }),
    RUNS,
  )
})

test('an enquiry is taken if and only if the domain and the contract both take it', async () => {
  const isValid = requestValidator('contactUs')
  const name = fc.record({ first: oddOr(text), last: oddOr(text) })
  const body = oddOr(fc.record({ name: oddOr(name), email: oddOr(fc.emailAddress()), msg: oddOr(text) }))
  await fc.assert(
    fc.asyncProperty(body, async (body) => {
      expect(await statusOf('/api/contact-us', body)).toBe(isValid(body) && isAcceptable(body) ? 200 : 422)
    }),
    RUNS,
  )
})

test('whatever the form lets through is taken', async () => {
  const field = (most: number) => text.map((typed) => typed.slice(0, most))
  const typed = fc.record({
    first: field(MAX_LENGTH.first),
    last: field(MAX_LENGTH.last),
    email: email.map((typed) => typed.slice(0, MAX_LENGTH.email)),
    message: field(MAX_LENGTH.message),
  })
  await fc.assert(
    fc.asyncProperty(typed, async (typed) => {
      const { enquiry, problem } = review(typed)
      fc.pre(problem === null)
      expect(await statusOf('/api/contact-us', onTheWire(enquiry))).toBe(200)
    }),
    RUNS,
  )
})

const onTheWire = ({ first, last, email, message }: Enquiry) => ({ name: { first, last }, email, msg: message })

function isAcceptable(body: unknown) {
  const { name, email, msg } = body as ReturnType<typeof onTheWire>
  return firstProblem({ ...name, email, message: msg }) === null
}
