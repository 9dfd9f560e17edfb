import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { readOperations, startMock } from '../../contract/mock/mock.ts'
import { contract, documentedAnswers } from '../support/contract/contract.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

const DOCUMENT = readFileSync('docs/implementing-the-contract.md', 'utf8')

/**
 * Reads a command line as curl would, in the one form that the document uses, so that it runs on machines that have no
 * curl. Throws on every other form.
 */
function readCurl(command: string) {
  const [, method = 'GET', url = '', rest = ''] = /^curl -i(?: -X ([A-Z]+))? (http:[^\s'"$]+)(.*)$/s.exec(command) ?? []
  const options = [...rest.matchAll(/ \\\n {2}(-H|-d|--data-binary) (?:'([^']*)'|@([\w./-]+))/g)]
  if (url === '' || options.map(([option]) => option).join('') !== rest) throw new Error(`No form of ours: ${command}`)
  const sent = options.flatMap(([, name, value = '']) => (name === '-H' ? [value.split(/: (.*)/s, 2)] : []))
  const [, , text, file] = options.find(([, name]) => name !== '-H') ?? []
  return { method, url, sent: Object.fromEntries(sent), body: file ? readFileSync(file, 'utf8') : (text ?? null) }
}

/** Every command line of the document, in its order, with the answer that the document shows below it. */
const SHOWN = [...DOCUMENT.matchAll(/```sh\n(.+?)\n```\n```http\n(.+?)\n\n(.+?)\n```/gs)].map(
  ([, command = '', head = '', body = '']) => {
    const [status = '', ...headers] = head.split('\n')
    return { ...readCurl(command), status: Number(status.split(' ')[1]), headers, answer: JSON.parse(body) }
  },
)

const place = makeServerFolder()
const mock = await startMock(await readOperations(), contract)
// The sixth enquiry of the document is one too many, however long the calls before it took.
const server = await place.start({ RATE_LIMIT: 'on', RATE_LIMIT_CONTACT_US: '5/minute 5/hour' })
/** By the port that the document names. */
const origins: Record<string, string> = { '8080': server.origin, '5173': mock.origin }
afterAll(() => Promise.all([mock.close(), place.remove()]))

test('the guide shows every example, and the answer to each command line', () => {
  const headings = [...DOCUMENT.matchAll(/^### (\S+)$/gm)].map(([, name]) => name)
  expect(headings.toSorted()).toEqual([...new Set(documentedAnswers.map(({ example }) => example))].toSorted())
  expect(SHOWN.length).toBe(DOCUMENT.match(/\bcurl -/g)?.length)
})

// One after the other: an answer depends on the ones before.
test.each(SHOWN)('$method $url: $status', async ({ method, url, sent, body, status, headers, answer }) => {
  const { port, pathname } = new URL(url)
  const response = await fetch(origins[port] + pathname, { method, headers: sent, body })
  expect([response.status, await response.json()]).toEqual([status, answer])
  for (const header of headers) {
    const [name = '', value = ''] = header.split(/: (.*)/)
    const got = response.headers.get(name)
    // `…` stands for what differs each time.
    const [start = '', end] = value.split('…')
    if (end === undefined) expect(got).toBe(value)
    else expect(got?.startsWith(start) && got.endsWith(end), header).toBe(true)
  }
})
