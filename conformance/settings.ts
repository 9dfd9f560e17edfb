import { parseArgs } from 'node:util'

const USAGE = `Usage: npm run contract -- URL [options]
  --origin URL              where visitors find the page, if not at the backend's own origin
  --header 'Name: value'    is sent with every call, for a gateway that needs it; may be repeated
  --restart COMMAND         kills the backend and starts it again: checks that nothing acknowledged is lost
Exit code: 0 if all passed, 1 if some failed, 2 if rate limits end the check, or the command is wrong.`

/** What the check needs to know of a backend: the URL has no slash at its end. */
export type Settings = ReturnType<typeof readSettings>

/** Ends without a result about the backend. */
export function stop(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

export function readSettings(args: string[]) {
  try {
    const [text, list] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
    const options = { origin: text, header: list, restart: text }
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const url = new URL(`${positionals}`)
    const headers = (values.header ?? []).map((line) => line.split(/: *(.+)/))
    const isRight = url.protocol.startsWith('http') && headers.every(([, value]) => value)
    const { origin } = new URL(values.origin ?? url)
    const own: Record<string, string> = Object.fromEntries(headers)
    if (!isRight) stop(USAGE)
    return { url: url.href.replace(/\/$/, ''), origin, headers: own, restart: values.restart }
  } catch {
    return stop(USAGE)
  }
}
