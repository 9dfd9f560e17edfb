import fc, { type Arbitrary } from 'fast-check'
import type { Field, Operation } from '../../operations.ts'
import { type Check, rowsOf } from '../check.ts'
import { exampleOf, RUN_ID, request, withField } from '../requests.ts'

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
/** Whatever is inserted, its start and end still tell where it comes from. */
const address = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{0,20}$/),
    fc.oneof(fc.constant(''), fc.constant(''), unit),
    fc.constantFrom('@example.com', '@Example.COM', '@a.example.com', '@1-x.example.com'),
  )
  .map((parts) => START + parts.join(''))

/** The contract's example with a few changes: valid ones, almost valid ones, and anything at all. */
function bodiesOf(operation: Operation): Arbitrary<object> {
  const plain = exampleOf(operation, { '/email': `${START}0@example.com` })
  const changes = operation.fields.map((field) => {
    const text = field.pointer === '/email' ? address : textOf(field)
    return fc.tuple(fc.constant(field.pointer), fc.oneof(text, text, anything, anything))
  })
  const unknownField = fc.tuple(
    fc.string().map((name) => `/${name}`),
    anything,
  )
  return fc
    .array(fc.oneof(...changes, ...changes, unknownField), { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce<object>((body, [pointer, value]) => withField(body, pointer, value), plain))
}

/** Bodies generated from the schema. The answer has to be 200 if and only if the schema accepts the body. */
export function generatedChecks(operation: Operation, seed: number, runs: number): Check[] {
  if (runs === 0) return []
  const { successOutcome, invalidOutcome, isRequest } = operation
  const isValid = (body: unknown): boolean => isRequest(JSON.parse(JSON.stringify(body)))
  const bodies = bodiesOf(operation)
  const valid = bodies.filter(isValid)
  const invalid = fc.oneof(bodies, bodies, fc.jsonValue({ maxDepth: 2 })).filter((body) => !isValid(body))
  const sample = (bodies: Arbitrary<unknown>) =>
    fc.sample(bodies, { seed, numRuns: runs }).map((body) => request(operation, { body: JSON.stringify(body) }))
  const rule = 'one that breaks a schema here with 422'
  return [
    ...rowsOf(operation, successOutcome)(rule, {
      [`${runs} generated valid bodies are accepted`]: ({ each }) => each(200, ...sample(valid)),
    }),
    ...rowsOf(operation, invalidOutcome)(rule, {
      [`${runs} generated invalid bodies are refused`]: ({ each }) => each(422, ...sample(invalid)),
    }),
  ]
}
