import { chmodSync, renameSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lockDatabase } from '../support/build-test-app.ts'
import { readTable } from '../support/databases.ts'
import { type Load, startLoad } from '../support/load.ts'
import { p99, pageTimes } from '../support/page-times.ts'
import { ROUNDS } from '../support/rounds.ts'
import { makeServerFolder, type ServerFolder } from '../support/server-process.ts'

/** Milliseconds that a fault lasts: 10 s in full. */
const DURATION = 500 * ROUNDS

let place: ServerFolder
let load: Load | null = null
beforeEach(() => {
  place = makeServerFolder()
})
afterEach(async () => {
  await load?.stop()
  await place.remove()
})

/** Keeps up the load and asks for the page while the fault lasts; each fault begins it and returns what ends it. */
test.each<[fault: string, begin: (file: string) => () => void]>([
  ['the write lock held by another', lockDatabase],
  [
    'the file read-only',
    (file) => {
      chmodSync(file, 0o400)
      return () => chmodSync(file, 0o600)
    },
  ],
  [
    'the file deleted again and again',
    (file) => {
      const timer = setInterval(() => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
      }, DURATION / 10)
      return () => clearInterval(timer)
    },
  ],
  [
    'the file moved away and back',
    (file) => {
      renameSync(file, `${file}.away`)
      return () => renameSync(`${file}.away`, file)
    },
  ],
])('%s under load: only 200 and 503, a quick page, nothing lost, and it recovers by itself', async (fault, begin) => {
  const server = await place.start()
  const during = startLoad(server.origin, 5)
  load = during
  await vi.waitUntil(() => during.acknowledged.length > 100, { timeout: 20_000 })
  const end = begin(place.databaseFile)
  const began = performance.now()
  const times = await pageTimes(server.origin, () => performance.now() - began > DURATION)
  end()
  const ended = performance.now()
  const before = during.acknowledged.length
  await vi.waitUntil(() => during.acknowledged.length > before, { timeout: 20_000, interval: 5 })
  const recovered = performance.now() - ended
  await during.stop()
  server.signal('SIGKILL')
  await server.exited

  const lost = during.missingFrom(readTable(place.databaseFile, 'subscribers'))
  const counts = [...during.statuses].map(([status, count]) => `${count} answers ${status}`).join(', ')
  console.log(
    `${fault} for ${DURATION} ms: ${counts}, ${lost.length} of ${during.acknowledged.length} acknowledged lost, ` +
      `${times.length} pages with a p99 of ${p99(times).toFixed(1)} ms, recovered in ${Math.round(recovered)} ms`,
  )
  expect(lost).toEqual([])
  expect([...during.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(p99(times)).toBeLessThan(150)
  expect(recovered).toBeLessThan(1500)
})
