import type { AddressInfo } from 'node:net'
import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROUNDS } from '../support/rounds.ts'
import { buildTestApp, type TestApp } from '../support/server/build-test-app.ts'
import { type Answer, exchange } from '../support/server/exchange.ts'
import { type HostileRequest, hostileBytes, hostileRequest, PATHS } from '../support/server/hostile-requests.ts'
import { acceptedBody, isDocumented, toBeAccepted } from '../support/server/request-oracle.ts'

let server: TestApp
let port: number
beforeAll(async () => {
  server = await buildTestApp()
  await server.listen()
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

test('over inject: 200 if and only if the contract accepts it, else a documented refusal', async () => {
  const seen = await fuzz(hostileRequest, 10 * ROUNDS, 100, async (request) => {
    const { operation, headers, body } = request
    const answer = await server.app.inject({ method: 'POST', url: PATHS[operation], headers, payload: body })
    const contentType = String(answer.headers['content-type'])
    return { request, answer: { status: answer.statusCode, contentType, body: answer.body } }
  })
  console.log(`Fuzz over inject: ${figure(seen)}`)
  expect(Object.keys(seen)).toEqual(EVERY_ANSWER.toSorted())
  for (const operation of Object.keys(PATHS)) expect(seen[`${operation} 200`]).toBeGreaterThan(50 * ROUNDS)
})

test('over a socket: the same, and what is cut off is never accepted', async () => {
  const seen = await fuzz(hostileBytes, ROUNDS, 25, async ({ request, pieces }) => {
    return { request, answer: await exchange(port, pieces, request.isCut === true) }
  })
  console.log(`Fuzz over sockets: ${figure(seen)}`)
})

const EVERY_ANSWER = Object.keys(PATHS).flatMap((operation) =>
  [200, 400, 413, 415, 422].map((status) => `${operation} ${status}`),
)

type Outcome = { readonly request: HostileRequest; readonly answer: Answer | null }
type Seen = Record<string, number>

/** Sends batches, each at once to an empty store, and counts the answers; the first batch at fault throws with its seed. */
async function fuzz<Sent>(
  sent: Arbitrary<Sent>,
  batches: number,
  length: number,
  send: (sent: Sent) => Promise<Outcome>,
): Promise<Seen> {
  const seen: Seen = {}
  const batch = fc.array(sent, { minLength: length, maxLength: length, size: 'max' })
  await fc.assert(
    fc.asyncProperty(batch, async (batch) => {
      await server.db.run((db) => db.deleteFrom('subscribers').execute())
      await server.db.run((db) => db.deleteFrom('enquiries').execute())
      const outcomes = await Promise.all(batch.map(send))
      for (const { request, answer } of outcomes) {
        const name = `${request.operation} ${answer?.status ?? 'unanswered'}`
        seen[name] = (seen[name] ?? 0) + 1
      }
      const faults = faultsIn(outcomes)
      if (faults.length > 0) throw new Error(`${faults.length} at fault:\n${faults.join('\n')}`)
      await expectStored(outcomes)
    }),
    {
      numRuns: batches,
      // A fault shows its own requests: smaller ones are not looked for.
      endOnFailure: true,
      reporter({ failed, seed, counterexamplePath, errorInstance }) {
        if (failed) throw new Error(`With { seed: ${seed}, path: '${counterexamplePath}' } ${errorInstance}`)
      },
    },
  )
  return Object.fromEntries(Object.entries(seen).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const figure = (seen: Seen) =>
  `${Object.values(seen).reduce((sum, count) => sum + count, 0)} cases, each answered as the contract says: ` +
  Object.entries(seen)
    .map(([name, count]) => `${name} ${count} times`)
    .join(', ')

/** Each request that was not answered as the contract and its oracle say. */
function faultsIn(outcomes: readonly Outcome[]): string[] {
  const expected = toBeAccepted(
    outcomes.map(({ request }) => request),
    outcomes.map(({ answer }) => answer),
  )
  return outcomes.flatMap(({ request, answer }, i) => {
    const { operation, headers, body, isCut } = request
    if (answer === null && isCut) return []
    if (answer && answer.status < 500 && (answer.status === 200) === expected[i] && isDocumented(operation, answer)) {
      return []
    }
    const start = JSON.stringify(body.toString('latin1', 0, 1000))
    return [`${operation} ${JSON.stringify(headers)} ${start} of ${body.length} bytes: ${JSON.stringify(answer)}`]
  })
}

/** What was answered 200 is stored, each address once, and nothing else is. */
async function expectStored(outcomes: readonly Outcome[]) {
  const taken = outcomes.filter(({ answer }) => answer?.status === 200)
  const bodies = (operation: HostileRequest['operation']) =>
    taken.filter(({ request }) => request.operation === operation).map(({ request }) => acceptedBody(request))
  const emails = (bodies('subscribe') as { email: string }[]).map(({ email }) => email.toLowerCase())
  const messages = (bodies('contactUs') as { msg: string }[]).map(({ msg }) => msg)
  const stored = (await server.rows('subscribers')).map((row) => row.email_key)
  expect(stored.toSorted()).toEqual([...new Set(emails)].toSorted())
  expect(new Set((await server.rows('enquiries')).map((row) => row.message))).toEqual(new Set(messages))
}
