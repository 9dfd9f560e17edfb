import { openSync, writeFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { junit } from './junit.ts'
import { report } from './report.ts'
import { RUN_ID } from './requests.ts'
import { type Options, startRun } from './run.ts'

const EXIT = { passed: 0, failed: 1, incompleteOrWrongUsage: 2, interrupted: 130 }

const moreHelp = (name: string) => `
Example:
  ${name} https://their.host --header 'Authorization: Bearer x' --junit contract.xml

Exit code: ${EXIT.passed} all passed, ${EXIT.failed} some failed, ${EXIT.incompleteOrWrongUsage} incomplete (unreachable, not the backend, out of
time, an error in the check itself) or wrong usage.

A full run sends about 600 calls, and waits whenever it is rate limited. Turn limits off while it runs
(RATE_LIMIT=off for the server here).
`

/** What a command needs from its process. */
export type Environment = {
  /** The command line before the arguments. */
  readonly name: string
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly interrupted: AbortSignal
}

type Flags = Options & { readonly json?: number; readonly junit?: number }

/** Checks a host as the arguments say, and returns the exit code. */
export async function contractCommand(args: readonly string[], environment: Environment): Promise<number> {
  const { name, stdout, stderr } = environment
  let code = EXIT.passed
  const program = new Command(name)
    .description('Checks a running backend against openapi.yaml.')
    .argument('<host>', 'its address', url)
    .option('--origin <url>', 'where visitors find the page, if not at the host', (text) => url(text).origin)
    .option('--only <text>', 'only checks whose operation, outcome or title contains this text')
    .addOption(
      new Option('--header <line>', "a header for every call, 'Name: value'; may be repeated; its value is not shown")
        .argParser(header)
        .default({}, 'none'),
    )
    .option('--restart <command>', 'kills the backend and starts it again: checks that nothing acknowledged is lost')
    .option('--timeout <s>', 'stop after so many seconds', seconds, 120)
    .option('--json <file>', 'also write the result as JSON', file)
    .option('--junit <file>', 'also write the result as JUnit XML', file)
    .addHelpText('after', moreHelp(name))
    .configureOutput({ writeOut: stdout, writeErr: stderr })
    .exitOverride()
    .action(async (host: URL, flags: Flags) => {
      code = await check(host, flags, environment, (reason) => program.error(reason))
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.passed : EXIT.incompleteOrWrongUsage
  }
}

async function check(
  host: URL,
  flags: Flags,
  { stdout, stderr, interrupted }: Environment,
  fail: (reason: string) => never,
): Promise<number> {
  // Checked here, because an error while the arguments are parsed would repeat the password.
  if (host.username || host.password)
    fail("Leave user and password out of the URL, and pass them by --header 'Authorization: …'.")
  const run = startRun(host, flags, (line) => stderr(`${line}\n`))
  const { results, unchecked } = run
  if (results.length === 0) fail(`No check contains '${flags.only}' in its operation, outcome or title.`)
  interrupted.addEventListener('abort', () => run.stop('interrupted'))
  await run.ended
  const asJson = { host: host.href, runId: RUN_ID, stopped: run.stopReason(), results, notChecked: unchecked() }
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(asJson, null, 2)}\n`)
  if (flags.junit) writeFileSync(flags.junit, junit(run))
  stdout(`${report(host.href, run)}\n`)
  if (interrupted.aborted) return EXIT.interrupted
  if (run.isBroken()) return EXIT.incompleteOrWrongUsage
  if (results.some(({ verdict }) => verdict === 'failed')) return EXIT.failed
  return results.some(({ verdict }) => verdict === 'not run') ? EXIT.incompleteOrWrongUsage : EXIT.passed
}

/** Reads a URL, with http where no scheme is named. */
function url(text: string): URL {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol))
    throw new InvalidArgumentError('Give a URL like https://their.host.')
  const parsed = new URL(full)
  if (parsed.search || parsed.hash) throw new InvalidArgumentError("Leave out what follows '?' or '#'.")
  return parsed
}

const MAX_TIMEOUT_S = 86_400

function seconds(text: string): number {
  if (/^[1-9]\d*$/.test(text) && Number(text) <= MAX_TIMEOUT_S) return Number(text)
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_TIMEOUT_S}.`)
}

function header(line: string, before: Record<string, string>): Record<string, string> {
  const [, name = '', value] = /^([!#$%&'*+.^_`|~\w-]+): *([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
  if (value) return { ...before, [name.toLowerCase()]: value }
  throw new InvalidArgumentError("Give 'Name: value'.")
}

/** Opens a file before the first call, so that a wrong path costs nothing. */
function file(path: string): number {
  try {
    return openSync(path, 'w')
  } catch {
    throw new InvalidArgumentError('Cannot write to it.')
  }
}
