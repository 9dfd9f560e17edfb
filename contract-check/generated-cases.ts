import fc, { type Arbitrary } from 'fast-check'
import { checkOf, invalidFor, type Make, takenBy } from './check.ts'
import type { Field, Operation } from './contract.ts'
import { post, put, type Requests } from './requests.ts'
import type { Judged } from './trial.ts'

/** Bodies made from the schema: an answer is 200 if and only if a validator of its own takes the body. */
export const generatedCases =
  (seed: number, runs: number): Make =>
  (operation, requests) => {
    const check = (outcome: string, title: string, body: Arbitrary<unknown>) =>
      checkOf(operation)(outcome, title, async (trial) => {
        // Shrinking ends at the smallest body at fault, which is the last that was.
        let fault: Judged | undefined
        const property = fc.asyncProperty(body, async (body) => {
          const json = JSON.stringify(body)
          const judged = await trial.judge(post(operation, json), operation.isRequest(JSON.parse(json)) ? 200 : '4xx')
          if (judged.differences.length > 0) fault = judged
          return judged.differences.length === 0
        })
        await fc.check(property, { seed, numRuns: runs })
        if (fault) trial.keep(fault)
      })
    const { valid, invalid } = bodiesOf(operation, requests)
    return [
      check(takenBy(operation), `${runs} generated valid bodies are taken`, valid),
      check(invalidFor(operation), `${runs} generated invalid bodies are refused`, invalid),
    ]
  }

const unit = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 3 }),
  fc.constantFrom(...' \n\u0000\u0085\u00a0\u200b\u2028\ufeff\ud800😀éß名م'),
)
const text = (most: number) =>
  fc.tuple(fc.array(unit, { maxLength: 8 }), fc.constantFrom(1, 1, most)).map(([units, times]) =>
    units
      .join('')
      .repeat(times)
      .slice(0, most + 1),
  )
const place = fc.double({ min: 0, max: 1, noNaN: true })

function bodiesOf(operation: Operation, { mark, body }: Requests) {
  const domain = fc.constantFrom('@example.com', '@Example.COM', '@a.example.com', '@1-x.example.com')
  const address = fc
    .tuple(fc.stringMatching(/^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{0,20}$/), domain)
    .map(([more, domain]) => `contract+${mark}.${more}${domain}`)
  // In the middle: what begins and ends as marked addresses do stays findable, should it be taken.
  const nearlyAddress = fc.tuple(address, unit, place).map(([address, odd, at]) => {
    const [start, end] = [`contract+${mark}.`.length, address.length - 'example.com'.length]
    const index = start + Math.round(at * (end - start))
    return address.slice(0, index) + odd + address.slice(index)
  })
  const textOf = ({ type, maxLength = 100 }: Field) =>
    type === 'Email' ? fc.oneof(address, nearlyAddress) : text(maxLength)

  const plain = { ...body(operation), email: `contract+${mark}.0@example.com` }
  const likely = operation.fields.reduce<Arbitrary<object>>(
    (bodies, field) => fc.tuple(bodies, textOf(field)).map(([body, value]) => put(body, field.pointer, value)),
    fc.constant(plain),
  )
  const oneOdd = fc
    .tuple(fc.constantFrom(...operation.fields), fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant(undefined), unit))
    .map(([{ pointer }, value]) => put(plain, pointer, value))
  const oneMore = fc.tuple(unit, fc.jsonValue({ maxDepth: 1 })).map(([name, value]) => ({ ...plain, [name]: value }))
  const oneField = fc
    .constantFrom(...operation.fields)
    .chain((field) => textOf(field).map((value) => put(plain, field.pointer, value)))
  const isValid = (body: unknown): boolean => operation.isRequest(JSON.parse(JSON.stringify(body)))
  return {
    valid: fc.oneof(likely, oneField).filter(isValid),
    invalid: fc
      .oneof(likely, oneField, oneOdd, oneMore, fc.jsonValue({ maxDepth: 2 }))
      .filter((body) => !isValid(body)),
  }
}
