import { readFileSync } from 'node:fs'

export type CurlLine = {
  readonly method: string
  readonly url: string
  readonly sent: Record<string, string>
  readonly body: string | null
}

/**
 * Reads a command line as curl would, in the one form that our documents use, so that tests can send it on machines
 * that have no curl. Throws on every other form.
 */
export function readCurl(command: string): CurlLine {
  const [, method = 'GET', url = '', rest = ''] = /^curl -i(?: -X ([A-Z]+))? (http:[^\s'"$]+)(.*)$/s.exec(command) ?? []
  const options = [...rest.matchAll(/ \\\n {2}(-H|-d|--data-binary) (?:'([^']*)'|@([\w./-]+))/g)]
  if (url === '' || options.map(([option]) => option).join('') !== rest) throw new Error(`No form of ours: ${command}`)
  const headers = options.flatMap(([, name, value = '']) => (name === '-H' ? [value.split(/: (.*)/s, 2)] : []))
  const [, , text, file] = options.find(([, name]) => name !== '-H') ?? []
  return { method, url, sent: Object.fromEntries(headers), body: file ? readFileSync(file, 'utf8') : (text ?? null) }
}
