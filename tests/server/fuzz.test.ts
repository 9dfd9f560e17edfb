import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { ROUNDS } from '../support/rounds.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'
import { type HostileRequest, hostileRequest, PATHS } from '../support/server/hostile-requests.ts'
import { type Answer, acceptedBody, isDocumented, toBeAccepted } from '../support/server/request-oracle.ts'

const server = await buildTestApp()
afterAll(server.close)

const EVERY_ANSWER = Object.keys(PATHS).flatMap((operation) =>
  [200, 400, 413, 415, 422].map((status) => `${operation} ${status}`),
)

const BATCH = 100

test('200 if and only if the contract accepts it, else a documented refusal', async () => {
  const seen: Record<string, number> = Object.fromEntries(EVERY_ANSWER.map((answer) => [answer, 0]))
  const batches = fc.array(hostileRequest, { minLength: BATCH, maxLength: BATCH, size: 'max' })
  await fc.assert(
    fc.asyncProperty(batches, async (requests) => {
      await server.db.run((db) => db.deleteFrom('subscribers').execute())
      await server.db.run((db) => db.deleteFrom('enquiries').execute())
      // At once, to an empty store.
      const answers = await Promise.all(requests.map(send))
      for (const [i, { status }] of answers.entries()) {
        const name = `${requests[i]?.operation} ${status}`
        seen[name] = (seen[name] ?? 0) + 1
      }
      expect(faultsIn(requests, answers)).toEqual([])
      await expectStored(requests.filter((_, i) => answers[i]?.status === 200))
    }),
    // A fault shows its own requests: smaller ones are not looked for.
    { numRuns: 10 * ROUNDS, endOnFailure: true },
  )
  const counts = Object.entries(seen).map(([name, count]) => `${name} ${count} times`)
  console.log(`Fuzz: each answered as the contract says: ${counts.join(', ')}`)
  expect(Object.keys(seen)).toEqual(EVERY_ANSWER)
  for (const name of EVERY_ANSWER) expect(seen[name], name).toBeGreaterThan(name.endsWith('200') ? 50 * ROUNDS : 0)
})

async function send({ operation, headers, body }: HostileRequest): Promise<Answer> {
  const answer = await server.app.inject({ method: 'POST', url: PATHS[operation], headers, payload: body })
  return { status: answer.statusCode, contentType: String(answer.headers['content-type']), body: answer.body }
}

/** Each request that was not answered as the contract and its oracle say. */
function faultsIn(requests: readonly HostileRequest[], answers: readonly Answer[]): string[] {
  const expected = toBeAccepted(requests, answers)
  return requests.flatMap(({ operation, headers, body }, i) => {
    const answer = answers[i]
    const isExpected = answer && answer.status < 500 && (answer.status === 200) === expected[i]
    if (isExpected && isDocumented(operation, answer)) return []
    const start = JSON.stringify(body.toString('latin1', 0, 1000))
    return [`${operation} ${JSON.stringify(headers)} ${start} of ${body.length} bytes: ${JSON.stringify(answer)}`]
  })
}

/** What was taken is stored, each address once, and nothing else is. */
async function expectStored(taken: readonly HostileRequest[]) {
  const bodies = (operation: HostileRequest['operation']) =>
    taken.filter((request) => request.operation === operation).map(acceptedBody)
  const emails = (bodies('subscribe') as { email: string }[]).map(({ email }) => email.toLowerCase())
  const messages = (bodies('contactUs') as { msg: string }[]).map(({ msg }) => msg)
  const stored = (await server.rows('subscribers')).map((row) => row.email_key)
  expect(stored.toSorted()).toEqual([...new Set(emails)].toSorted())
  expect(new Set((await server.rows('enquiries')).map((row) => row.message))).toEqual(new Set(messages))
}
