import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

const USAGE = `Usage: npm run contract -- URL [options]
  --origin URL              where visitors find the page, if not at the backend's own origin
  --header 'Name: value'    is sent with every call, for a gateway that needs it; may be repeated
  --restart COMMAND         kills the backend and starts it again: checks that nothing acknowledged is lost
Exit code: 0 if all passed, 1 if some failed, 2 if the backend can't be asked, or the command is wrong.`

/** Ends without a result about the backend. */
export function stop(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

function readArguments() {
  const [text, list] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
  try {
    return parseArgs({ allowPositionals: true, options: { origin: text, header: list, restart: text } })
  } catch {
    return stop(USAGE)
  }
}

function readUrl(text: string): URL {
  const isUrl = /^https?:/.test(text) && URL.canParse(text)
  return isUrl ? new URL(text) : stop(`'${text}' is no URL like https://their.host.`)
}

function readHeader(line: string): [name: string, value: string] {
  const [name = '', value = ''] = line.split(/: *(.*)/)
  return value === '' ? stop("Give a header as 'Name: value'.") : [name.toLowerCase(), value]
}

const { values, positionals } = readArguments()
if (positionals.length !== 1) stop(USAGE)

/** Where the backend is. */
export const HOST = readUrl(`${positionals[0]}`)
/** The origin of the page for visitors, which browsers send as `Origin`. */
export const ORIGIN = readUrl(values.origin ?? HOST.href).origin
/** Headers of every call, by their names in lower case. */
export const HEADERS = Object.fromEntries((values.header ?? []).map(readHeader))
/** A command that kills the backend and starts it again, or ''. */
export const RESTART = values.restart ?? ''
/** Part of every address that is sent, so that the operator can distinguish these addresses from real leads. */
export const RUN_ID = randomBytes(4).toString('hex')
