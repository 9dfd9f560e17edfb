import { parseArgs } from 'node:util'

const USAGE = `Usage: npm run contract -- URL [options]
  URL                       where the backend is, without /api, for example https://backend.example.com
  --origin URL              where visitors find the page, if it is not at the URL of the backend
  --header 'Name: value'    a header for every call, for example for a gateway; you can repeat this option
  --restart COMMAND         your command that kills and restarts the backend; the check then looks for lost data
Exit code: 0 if all rules passed, 1 if some failed, 2 if a rate limit ended the check or the command is wrong.`

/** What the check has to know about a backend. The URL has no slash at its end. */
export type Target = ReturnType<typeof readTarget>

export function endWithoutResult(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

export function readTarget(args: string[]) {
  try {
    const [text, list] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
    const options = { origin: text, header: list, restart: text }
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    for (const each of [`${positionals}`, values.origin ?? 'http://'])
      if (!/^https?:\/\//.test(each)) throw new Error(`'${each}' does not begin with http:// or https://`)
    const url = new URL(`${positionals}`)
    const headers = (values.header ?? []).map((line) => line.split(/: *(.+)/))
    if (!headers.every(([, value]) => value)) throw new Error("--header has to be followed by 'Name: value'")
    const { origin } = new URL(values.origin ?? url)
    const own: Record<string, string> = Object.fromEntries(headers)
    return { url: url.href.replace(/\/$/, ''), origin, headers: own, restart: values.restart }
  } catch (error) {
    return endWithoutResult(`${Object(error).message.split('. ')[0]}.\n\n${USAGE}`)
  }
}
