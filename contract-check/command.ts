import { openSync, writeFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { junit, report } from './report.ts'
import { MARK } from './requests.ts'
import { type Options, startRun } from './run.ts'

const EXIT = { held: 0, broken: 1, unjudgedOrWrongUsage: 2, interrupted: 130 }

const moreHelp = (name: string) => `
Example:
  ${name} https://their.host --header 'Authorization: Bearer x' --junit contract.xml

Exit code: ${EXIT.held} all held, ${EXIT.broken} broken, ${EXIT.unjudgedOrWrongUsage} not judged to the end (not reachable, not the backend, out of time)
or wrong usage.

A full run sends some thousand calls. Where calls are limited it waits as long as it is told to: switch limits
off while it runs (RATE_LIMIT=off for the server here), or take --quick, about ten calls of each operation.
`

/** Where a command says what it has to say, and how it learns that nobody waits any longer. */
export type Surroundings = {
  /** What the user types before the arguments. */
  readonly name: string
  readonly print: (text: string) => void
  readonly tell: (text: string) => void
  readonly interrupted: AbortSignal
}

type Flags = Options & { readonly budget: number; readonly json?: number; readonly junit?: number }

/** Holds a host to the contract as the arguments say, and gives the exit code. */
export async function contractCommand(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { name, print, tell } = surroundings
  let code = EXIT.held
  const program = new Command(name)
    .description('Holds a running backend to openapi.yaml.')
    .argument('<host>', 'where it runs', url)
    .option('--origin <url>', 'where visitors find the page, if elsewhere', (text) => url(text).origin)
    .option('--only <text>', 'only checks whose operation, outcome or title has this text')
    .option('--quick', 'one check of each outcome')
    .addOption(
      new Option('--header <line>', "a header for every call, as 'Name: value', never shown; may be repeated")
        .argParser(header)
        .default({}, 'none'),
    )
    .option(
      '--restart <command>',
      'kills the backend and starts it again: checks that what it acknowledged is still there',
    )
    .option('--budget <ms>', 'warn of answers that take longer', number(1), 2000)
    .option('--timeout <s>', 'seconds for the whole', number(1, 86_400), 120)
    .option('--runs <count>', 'generated bodies of each kind', number(0), 50)
    .addOption(
      new Option('--seed <number>', 'makes the same bodies again')
        .argParser(number(0))
        .default(Math.floor(Math.random() * 1e9), 'drawn anew'),
    )
    .option('--json <file>', 'also write the result as JSON', file)
    .option('--junit <file>', 'also write the result as JUnit XML', file)
    .addHelpText('after', moreHelp(name))
    .configureOutput({ writeOut: print, writeErr: tell })
    .exitOverride()
    .action(async (host: URL, flags: Flags) => {
      code = await check(host, flags, surroundings, (problem) => program.error(problem))
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.held : EXIT.unjudgedOrWrongUsage
  }
}

async function check(
  host: URL,
  flags: Flags,
  { print, tell, interrupted }: Surroundings,
  refuse: (problem: string) => never,
): Promise<number> {
  const run = startRun(host, flags, (line) => tell(`${line}\n`))
  const { results } = run
  if (results.length === 0) refuse(`No check has '${flags.only}' in its operation, outcome or title.`)
  interrupted.addEventListener('abort', () => run.stop('interrupted'))
  await run.ended
  const asJson = { host: nameOf(host), seed: flags.seed, mark: MARK, results, notChecked: run.unchecked() }
  if (flags.json) writeFileSync(flags.json, `${JSON.stringify(asJson, null, 2)}\n`)
  if (flags.junit) writeFileSync(flags.junit, junit(run))
  const seed = run.answered.length > 0 ? `Generated bodies came from --seed ${flags.seed}.\n` : ''
  print(`${report(nameOf(host), run, flags.budget)}\n${seed}`)
  const verdicts = new Set(results.map(({ verdict }) => verdict))
  if (interrupted.aborted) return EXIT.interrupted
  if (verdicts.has('broken')) return EXIT.broken
  return verdicts.has('not reachable') || verdicts.has('not tried') ? EXIT.unjudgedOrWrongUsage : EXIT.held
}

function url(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new InvalidArgumentError('Give an address like https://their.host.')
}

/** Never a user or a password. */
const nameOf = ({ origin, pathname }: URL) => origin + pathname

const number =
  (least: number, most = 999_999_999) =>
  (text: string) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`)
  }

function header(line: string, before: Record<string, string>): Record<string, string> {
  const [, name = '', value] = /^([!#$%&'*+.^_`|~\w-]+): *([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
  if (value !== undefined) return { ...before, [name.toLowerCase()]: value }
  throw new InvalidArgumentError("Give it as 'Name: value'.")
}

/** Opened before anything is sent. */
function file(path: string): number {
  try {
    return openSync(path, 'w')
  } catch {
    throw new InvalidArgumentError("It can't be written.")
  }
}
