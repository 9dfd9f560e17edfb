import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, RUN_ID } from './call.ts'

/** Writes a call as a command for a POSIX shell. The command ends after at most 10 seconds, as the call does. */
export function curlCommand({ method, url, headers, body }: Call): string {
  const hasBody = method.startsWith('P')
  const caFile = process.env.NODE_EXTRA_CA_CERTS
  // By default curl adds the content type of a form. `name:` removes a header, and `name;` sends it without a value.
  const lines = Object.entries({ ...(hasBody && { 'content-type': null }), ...headers }).flatMap(([name, values]) =>
    [values]
      .flat()
      .map((value) => `-H ${quoted(value ? `${name}: ${value}` : `${name}${value === null ? ':' : ';'}`)}`),
  )
  return [
    `curl --max-time 10 ${method === 'HEAD' ? '--head' : `-i -X ${method}`} ${quoted(url)}`,
    ...(url.startsWith('https:') ? ['--http1.1', ...(caFile ? [`--cacert ${quoted(caFile)}`] : [])] : []),
    ...lines,
    ...(hasBody ? [bodyOption(body)] : []),
  ].join(' ')
}

let fileCount = 0

/** A short body in ASCII is in the command. Any other body is in a file, because a terminal may change it. */
function bodyOption(body: Buffer): string {
  const text = body.toString('latin1')
  if (/^[ -~]{0,500}$/.test(text)) return `--data-raw ${quoted(text)}`
  const file = join(tmpdir(), `contract-check-${RUN_ID}-${++fileCount}`)
  writeFileSync(file, body)
  return `--data-binary ${quoted(`@${file}`)}`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
