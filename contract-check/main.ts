// Holds any running backend to openapi.yaml.
import { openSync, writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { junit, report } from './report.ts'
import { MARK } from './requests.ts'
import { type Options, startRun } from './run.ts'

const EXIT = { held: 0, broken: 1, unreachableOrWrongUsage: 2, interrupted: 130 }

const MORE_HELP = `
Example:
  npm run contract -- https://their.host --header 'Authorization: Bearer x' --junit contract.xml

Exit code: ${EXIT.held} all held, ${EXIT.broken} broken, ${EXIT.unreachableOrWrongUsage} not reachable or wrong usage.

A full run sends some hundred calls. Where calls are limited it waits as long as it is told to: switch limits
off while it runs (RATE_LIMIT=off for the server here), or take --quick, about ten calls of each operation.
`

function url(text: string): URL {
  const host = URL.parse(text)
  if (host && /^https?:$/.test(host.protocol)) return host
  throw new InvalidArgumentError('Give an address like https://their.host.')
}

/** Never a user or a password. */
const nameOf = ({ origin, pathname }: URL) => origin + pathname

const number = (least: number) => (text: string) => {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
  throw new InvalidArgumentError(`Give a whole number from ${least} on.`)
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

type Flags = Options & { readonly budget: number; readonly json?: number; readonly junit?: number }

async function check(host: URL, flags: Flags) {
  const run = startRun(host, flags, console.error)
  const { results } = run
  if (results.length === 0) program.error(`No check has '${flags.only}' in its operation, outcome or title.`)

  function end() {
    console.log(report(nameOf(host), run, flags.budget))
    if (run.answered.length > 0) console.log(`Generated bodies came from --seed ${flags.seed}.`)
    const asJson = { host: nameOf(host), seed: flags.seed, mark: MARK, results }
    if (flags.json) writeFileSync(flags.json, `${JSON.stringify(asJson, null, 2)}\n`)
    if (flags.junit) writeFileSync(flags.junit, junit(results))
  }
  process.on('SIGINT', () => {
    end()
    process.exit(EXIT.interrupted)
  })
  await run.ended
  end()
  const verdicts = new Set(results.map(({ verdict }) => verdict))
  process.exit(
    verdicts.has('broken') ? EXIT.broken : verdicts.has('not reachable') ? EXIT.unreachableOrWrongUsage : EXIT.held,
  )
}

const program = new Command('npm run contract --')
  .description('Holds a running backend to openapi.yaml.')
  .argument('<host>', 'where it runs', url)
  .option('--only <text>', 'only checks whose operation, outcome or title has this text')
  .option('--quick', 'one check of each outcome')
  .addOption(
    new Option('--header <line>', "a header for every call, as 'Name: value'; may be repeated")
      .argParser(header)
      .default({}, 'none'),
  )
  .option('--budget <ms>', 'warn of answers that take longer', number(1), 2000)
  .option('--runs <count>', 'generated bodies of each kind', number(0), 50)
  .addOption(
    new Option('--seed <number>', 'makes the same bodies again')
      .argParser(number(0))
      .default(Math.floor(Math.random() * 1e9), 'drawn anew'),
  )
  .option('--json <file>', 'also write the result as JSON', file)
  .option('--junit <file>', 'also write the result as JUnit XML', file)
  .addHelpText('after', MORE_HELP)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.held : EXIT.unreachableOrWrongUsage))
  .action(check)

await program.parseAsync()
