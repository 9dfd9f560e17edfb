import { readFileSync } from 'node:fs'

export type CurlLine = {
  readonly method: string
  readonly url: string
  readonly sent: Record<string, string>
  readonly body: string | null
}

/**
 * Reads a command line as curl would, in the few forms that our documents use, so that tests can send it on machines
 * that have no curl. Throws on every other form.
 */
export function readCurl(command: string): CurlLine {
  const words = [...command.replaceAll('\\\n', '').matchAll(/'([^']*)'|([^\s'"$`\\|;&<>]+)|(\S)/g)].map(
    ([, quoted, bare, other]) => quoted ?? bare ?? refuse(`${other}`),
  )
  const line: { method: string; url: string; body: CurlLine['body'] } = { method: 'GET', url: '', body: null }
  const sent: Record<string, string> = {}
  const rest = words.values()
  const next = () => rest.next().value ?? refuse('the end')
  if (next() !== 'curl') refuse('another program')
  for (const word of rest) {
    if (word === '-i') continue
    if (word === '-X') line.method = next()
    else if (word === '-H') addHeader(sent, next())
    else if (word === '-d') line.body = next()
    else if (word === '--data-binary') line.body = readFileSync(next().replace(/^@/, ''), 'utf8')
    else if (word.startsWith('http://')) line.url = word
    else refuse(word)
  }
  return { ...line, sent }
}

function addHeader(sent: Record<string, string>, header: string) {
  const [, name = '', value = ''] = /^(\S+): (.+)$/.exec(header) ?? refuse(header)
  sent[name] = value
}

function refuse(what: string): never {
  throw new Error(`No form of curl that our documents use: ${what}`)
}
