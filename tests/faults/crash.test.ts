import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUNDS } from '../support/rounds.ts'
import { DATABASES, makeDatabase, type TestDatabase } from '../support/server/databases.ts'
import { type Load, startLoad } from '../support/server/load.ts'
import { post } from '../support/server/post.ts'
import { makeServerFolder, type ServerFolder } from '../support/server/server-process.ts'
import { until } from '../support/until.ts'

const CONNECTIONS = 50
const ENOUGH = 400

describe.each(DATABASES)('on %s', (kind) => {
  let sandbox: ServerFolder
  let database: TestDatabase
  beforeAll(async () => {
    sandbox = makeServerFolder()
    database = await makeDatabase(kind)
  })
  afterAll(async () => {
    await sandbox.remove()
    await database.remove()
  })

  const start = () => sandbox.start({ DATABASE_URL: database.url })

  test(`kill -9 in the middle of ${CONNECTIONS} connections loses and doubles nothing that was acknowledged`, async () => {
    const subscribed: string[] = []
    const sent: string[] = []
    let slowest = 0
    let server = await start()
    for (let round = 1; round <= ROUNDS; round++) {
      const load = startLoad(server.origin, CONNECTIONS / 2)
      const enquiries = sendEnquiries(server.origin, `round${round}`)
      await until(() => load.acknowledged.length + enquiries.acknowledged.length > ENOUGH)
      server.signal('SIGKILL')
      expect(await server.exited).toBe(null)
      const killed = performance.now()
      await Promise.all([load.stop(), enquiries.stop()])
      subscribed.push(...load.acknowledged)
      sent.push(...enquiries.acknowledged)

      server = await start()
      const again = () => post(`${server.origin}/api/subscribe`, { email: `after${round}@example.com` })
      await until(async () => (await again()).status === 200)
      slowest = Math.max(slowest, performance.now() - killed)
    }

    const emails = (await database.rows('subscribers')).map((row) => row.email)
    const messages = (await database.rows('enquiries')).map((row) => row.message)
    const lost = [...subscribed, ...sent].filter(absentIn([...emails, ...messages]))
    const twice = emails.length - new Set(emails).size + messages.length - new Set(messages).size
    console.log(
      `kill -9 on ${kind}: ${ROUNDS} rounds, ${subscribed.length + sent.length} acknowledged, ${lost.length} lost, ` +
        `${twice} twice, back within ${Math.round(slowest)} ms`,
    )
    expect([lost, twice]).toEqual([[], 0])
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
  })

  test('SIGTERM under load loses nothing, and ends with 0', async () => {
    const server = await start()
    const load = startLoad(server.origin, CONNECTIONS)
    await until(() => load.acknowledged.length > ENOUGH)
    const signalled = performance.now()
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    const ms = performance.now() - signalled
    await load.stop()
    const lost = load.missingFrom(await database.rows('subscribers'))
    console.log(
      `SIGTERM on ${kind}: ${load.acknowledged.length} acknowledged, ${lost.length} lost, ended in ${Math.round(ms)} ms`,
    )
    expect(lost).toEqual([])
    expect([0, 200, 503]).toEqual(expect.arrayContaining([...load.statuses.keys()]))
  })
})

/** Sends enquiries without keys, each with a message of its own, as `startLoad` subscribes addresses. */
function sendEnquiries(origin: string, name: string): Pick<Load, 'acknowledged' | 'stop'> {
  const acknowledged: string[] = []
  let stopped = false
  const running = Array.from({ length: CONNECTIONS / 2 }, async (_, connection) => {
    for (let i = 0; !stopped; i++) {
      const msg = `${name} ${connection} ${i}`
      const enquiry = { name: { first: 'Given', last: 'Family' }, email: 'visitor@example.com', msg }
      const { status } = await post(`${origin}/api/contact-us`, enquiry)
      if (status === 0) return
      if (status === 200) acknowledged.push(msg)
    }
  })
  return {
    acknowledged,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

function absentIn(stored: string[]) {
  const all = new Set(stored)
  return (text: string) => !all.has(text)
}
