import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { readOperations, startMock } from '../../dev/mock.ts'
import { documentedAnswers } from '../support/contract/contract.ts'
import { type CurlLine, readCurl } from '../support/server/curl.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const DOCUMENT = readFileSync('docs/implementing-the-contract.md', 'utf8')

type Shown = CurlLine & { readonly status: number; readonly headers: [string, string][]; readonly answer: unknown }

/** Every command line of the document, in its order, with the answer that the document shows below it. */
const SHOWN = [...DOCUMENT.matchAll(/```sh\n(.+?)\n```\n\n```http\n(.+?)\n\n(.+?)\n```/gs)].map(
  ([, command = '', head = '', body = '']): Shown => {
    const [status = '', ...lines] = head.split('\n')
    const headers = lines.map((line): [string, string] => [line.split(': ', 1)[0] ?? '', line.replace(/^.*?: /, '')])
    return { ...readCurl(command), status: Number(status.split(' ')[1]), headers, answer: JSON.parse(body) }
  },
)

const place = makeServerFolder()
const mock = await startMock(await readOperations())
// The sixth enquiry of the document is one too many, however long the calls before it took.
const server = await place.start({ RATE_LIMIT: 'on', RATE_LIMIT_CONTACT_US: '5/minute 5/hour' })
/** By the port that the document names. */
const origins: Record<string, string> = { '8080': server.origin, '5173': mock.origin }
afterAll(() => Promise.all([mock.close(), place.remove()]))

test('the document shows every named example of the contract, and below each command line its answer', () => {
  const headings = [...DOCUMENT.matchAll(/^### (\S+)$/gm)].map(([, name]) => name)
  expect(headings.toSorted()).toEqual([...new Set(documentedAnswers.map(({ example }) => example))].toSorted())
  expect(SHOWN.length).toBe(DOCUMENT.match(/\bcurl -/g)?.length)
})

/** `…` stands for what differs each time. */
function isAsShown(shown: string, value: string | null): boolean {
  const [start = '', end] = shown.split('…')
  return end === undefined ? value === shown : Boolean(value?.startsWith(start) && value.endsWith(end))
}

// One after the other: an answer depends on the ones before.
test.each(SHOWN)('$method $url: $status', async ({ method, url, sent, body, status, headers, answer }) => {
  const { port, pathname } = new URL(url)
  const response = await fetch(origins[port] + pathname, { method, headers: sent, body })
  expect([response.status, await response.json()]).toEqual([status, answer])
  const others = headers.filter(([name, value]) => !isAsShown(value, response.headers.get(name)))
  expect(others).toEqual([])
})
