// Holds any running backend to openapi.yaml.
import { writeFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { createProgress } from './progress.ts'
import { report } from './report.ts'
import { junit } from './report-files.ts'
import { startRun, type Verdict } from './run.ts'

const HELD = 0
const BROKEN = 1
const NOT_REACHABLE_OR_WRONG_USAGE = 2
const INTERRUPTED = 130

const EXAMPLE = `
Example:
  npm run contract -- https://their.host --header 'Authorization: Bearer x' --junit contract.xml

Exit code: ${HELD} all held, ${BROKEN} broken, ${NOT_REACHABLE_OR_WRONG_USAGE} not reachable or wrong usage.

A full run sends some hundred calls. Where calls are limited it waits as long as it is told to: switch limits
off while it runs (RATE_LIMIT=off for the server here), or take --quick, about ten calls of each operation.
`

const number = (least: number) => (text: string) => {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least)
    throw new InvalidArgumentError(`Give a whole number from ${least} on.`)
  return Number(text)
}

function url(text: string): URL {
  const host = URL.parse(text)
  if (!host || !/^https?:$/.test(host.protocol))
    throw new InvalidArgumentError('Give an address like https://their.host.')
  return host
}

function header(line: string, before: Record<string, string>) {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): *([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Give it as 'Name: value'.")
  return { ...before, [name.toLowerCase()]: value }
}

const program = new Command('npm run contract --')
  .description('Holds a running backend to openapi.yaml.')
  .argument('<host>', 'where it runs', url)
  .option('--only <text>', 'only checks whose operation, outcome or title has this text')
  .option('--quick', 'one check of each outcome')
  .option('--header <line>', "a header for every call, as 'Name: value'; may be repeated", header, {})
  .option('--budget <ms>', 'warn of answers that take longer', number(1), 2000)
  .option('--runs <count>', 'generated bodies of each kind', number(0), 50)
  .option('--seed <number>', 'makes the same bodies again', number(0), Math.floor(Math.random() * 1e9))
  .option('--json <file>', 'also write the result as JSON')
  .option('--junit <file>', 'also write the result as JUnit XML')
  .addHelpText('after', EXAMPLE)
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? HELD : NOT_REACHABLE_OR_WRONG_USAGE))
  .action((host: URL, options) => check(host, options))

type Flags = {
  only?: string
  quick?: boolean
  header: Record<string, string>
  budget: number
  runs: number
  seed: number
  json?: string
  junit?: string
}

async function check(host: URL, { header: headers, budget, json, junit: junitFile, ...choice }: Flags) {
  const progress = createProgress(process.stderr)
  for (const file of [json, junitFile]) if (file) write(file, '')
  const run = startRun({ host, headers, progress, ...choice })
  if (!run) return program.error(`No check has '${choice.only}' in its operation, outcome or title.`)

  const end = (interrupted = false) => {
    progress.end()
    const results = run.results()
    const has = (verdict: Verdict) => results.some((result) => result.verdict === verdict)
    const { seed } = choice
    console.log(`${report(results, run, budget, isColoured)}\nGenerated bodies came from --seed ${seed}.`)
    if (json) write(json, `${JSON.stringify({ host: host.href, seed, mark: run.mark, results }, null, 2)}\n`)
    if (junitFile) write(junitFile, junit(results))
    const code = has('broken') ? BROKEN : has('not reachable') ? NOT_REACHABLE_OR_WRONG_USAGE : HELD
    process.exit(interrupted ? INTERRUPTED : code)
  }
  process.on('SIGINT', () => end(true))
  await run.ended
  end()
}

function write(file: string, text: string) {
  try {
    writeFileSync(file, text)
  } catch {
    program.error(`${file} can't be written.`)
  }
}

const isColoured = process.stdout.isTTY && !process.env.NO_COLOR

await program.parseAsync()
