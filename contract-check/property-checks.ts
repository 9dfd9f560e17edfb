import fc, { type Arbitrary } from 'fast-check'
import type { Field, Operation } from '../contract/operations.ts'
import type { CheckContext, Evaluation, Expected, Planned } from './context.ts'
import { bodyOf, RUN_ID, request, setAt } from './requests.ts'

const unit = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.constantFrom(...' \n\u0000\u0085\u00a0\u200b\u2028\ufeff\ud800😀éß名م'),
)
const textOf = ({ maxLength }: Field) =>
  fc.tuple(fc.array(unit, { maxLength: 8 }), fc.constantFrom(1, 1, maxLength)).map(([units, times]) =>
    units
      .join('')
      .repeat(times)
      .slice(0, maxLength + 1),
  )
const anything = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant(undefined))

const START = `contract+${RUN_ID}.`
const domain = fc.constantFrom('@example.com', '@Example.COM', '@a.example.com', '@1-x.example.com')
const address = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{0,20}$/), domain)
  .map(([more, domain]) => START + more + domain)
// The odd text is in the middle: should the address be accepted, its start and end still tell where it comes from.
const nearlyAddress = fc
  .tuple(address, unit, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([address, odd, place]) => {
    const index = START.length + Math.round(place * (address.length - `${START}@example.com`.length))
    return address.slice(0, index) + odd + address.slice(index)
  })

/** The contract's example with a few changes: valid ones, almost valid ones, and anything at all. */
function bodiesOf(operation: Operation): Arbitrary<object> {
  const plain = { ...bodyOf(operation), email: `${START}0@example.com` }
  const changes = operation.fields.map((field) => {
    const text = field.pointer === '/email' ? fc.oneof(address, nearlyAddress) : textOf(field)
    return fc.tuple(fc.constant(field.pointer), fc.oneof(text, text, anything, anything))
  })
  const unknownField = fc.tuple(
    fc.string().map((name) => `/${name}`),
    anything,
  )
  return fc
    .array(fc.oneof(...changes, ...changes, unknownField), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce<object>((body, [pointer, value]) => setAt(body, pointer, value), plain))
}

/** Bodies generated from the schema. The answer has to be 200 if and only if the schema accepts the body. */
export function propertyChecks(operation: Operation, seed: number, runs: number): Planned[] {
  const { path, successOutcome, invalidOutcome, isRequest } = operation
  const isValid = (body: unknown): boolean => isRequest(JSON.parse(JSON.stringify(body)))
  const bodies = bodiesOf(operation)

  const answers = (bodies: Arbitrary<unknown>, expected: Expected) => async (context: CheckContext) => {
    // Shrinking ends at the smallest faulty body, so that the last one is kept.
    let fault: Evaluation | undefined
    const property = fc.asyncProperty(bodies, async (body) => {
      if (context.isLost()) return true
      const evaluation = await context.evaluate(request('POST', path, JSON.stringify(body)), expected)
      if (evaluation.differences.length > 0) fault = evaluation
      // An outage has nothing to do with the body: there is nothing to shrink.
      return evaluation.differences.length === 0 || evaluation.answer.status === 503
    })
    await fc.check(property, { seed, numRuns: runs })
    if (fault) context.record(fault)
  }

  const valids = bodies.filter(isValid)
  const invalids = fc.oneof(bodies, bodies, fc.jsonValue({ maxDepth: 2 })).filter((body) => !isValid(body))
  if (runs === 0) return []
  return [
    {
      outcome: successOutcome,
      title: `${runs} generated valid bodies are accepted`,
      rule: 'one that breaks a schema here with 422',
      run: answers(valids, [200]),
    },
    {
      outcome: invalidOutcome,
      title: `${runs} generated invalid bodies are refused`,
      rule: 'one that breaks a schema here with 422',
      run: answers(invalids, [422]),
    },
  ]
}
