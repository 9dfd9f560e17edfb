import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'

const USAGE = `Usage: npm run contract -- URL [options]
  --origin URL              where visitors find the page, if not at the backend's own origin
  --header 'Name: value'    is sent with every call, for a gateway that needs it; may be repeated
  --restart COMMAND         kills the backend and starts it again: checks that nothing acknowledged is lost
Exit code: 0 if all passed, 1 if some failed, 2 if rate limits end the check, or the command is wrong.`

/** Ends without a result about the backend. */
export function stop(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

function readSettings() {
  try {
    const [text, list] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
    const options = { origin: text, header: list, restart: text }
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const host = new URL(`${positionals}`)
    const headers = (values.header ?? []).map((line) => line.split(/: *(.+)/))
    const isRight = host.protocol.startsWith('http') && headers.every(([, value]) => value)
    const { origin } = new URL(values.origin ?? host)
    return isRight ? { host, origin, headers: Object.fromEntries(headers), restart: values.restart } : stop(USAGE)
  } catch {
    return stop(USAGE)
  }
}

export const { host, origin, headers, restart } = readSettings()
/** Part of every address that is sent, so that the operator can distinguish these addresses from real leads. */
export const RUN_ID = randomBytes(4).toString('hex')
