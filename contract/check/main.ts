// Holds any running backend to openapi.yaml: npm run contract -- URL
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readContract } from '../operations.ts'
import type { Settings } from './call.ts'

const USAGE = `Usage: npm run contract -- URL [options]
  --origin URL              where visitors find the page, if not at the backend's own origin
  --header 'Name: value'    goes with every call; may be repeated; its value is not shown
  --restart COMMAND         kills the backend and starts it again: checks that nothing acknowledged is lost
  --only TEXT               only the tests that have this text in their titles
  --junit FILE              also write the result as JUnit XML
Exit code: 0 if all passed, 1 if some failed, 2 if nothing could be asked, or the command or the check is wrong.`

const OWN = 'Not the backend is at fault, but'
/** Ends without a verdict. */
function stop(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}

process.on('uncaughtException', ({ message }) => stop(`${OWN} ${message}`))

function readArguments() {
  const [text, list] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
  try {
    const options = { origin: text, header: list, restart: text, only: text, junit: text } as const
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop(process.argv.includes('--help') ? USAGE : `${Object(error).message} See --help.`)
  }
}

/** Reads a URL, with http where no scheme is named. */
function readUrl(text: string): URL {
  const full = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(full) ? new URL(full) : null
  if (url?.username || url?.password) stop("Leave user and password out of the URL: --header 'Authorization: …'.")
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  return isPlain ? url : stop('Give a URL like https://their.host.')
}

function readHeader(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+): *([\t\x20-\x7e\x80-\xff]+)$/.exec(line) ?? []
  return value === '' ? stop("Give a header as 'Name: value'.") : [name.toLowerCase(), value]
}

const { values, positionals } = readArguments()
if (positionals.length !== 1) stop('Give the URL of one backend. See --help.')
const host = readUrl(`${positionals[0]}`)
const settings: Settings = {
  host: host.href,
  origin: values.origin === undefined ? host.origin : readUrl(values.origin).origin,
  headers: Object.fromEntries((values.header ?? []).map(readHeader)),
  restart: values.restart ?? '',
  runId: randomBytes(4).toString('hex'),
  timeoutMs: 10_000, // The page waits no longer.
}
process.env.CONTRACT_CHECK = JSON.stringify(settings)
process.env.CONTRACT_JUNIT = values.junit === undefined ? '' : resolve(values.junit)

// Imported only now, because it reads the settings.
const { callOf, PING, send } = await import('./call.ts')

/** Why nobody can be asked, or null. A backend that answers otherwise than the contract says can. */
async function whyNot(): Promise<string | null> {
  const why = await send(PING).catch(({ message }) => message)
  const hint = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(why) ? ". Set NODE_EXTRA_CA_CERTS to its authority's file" : ''
  // Node's codes are in capitals: of all else at least a part came.
  if (/^[A-Z\d_]+$/.test(why)) return `can't be asked: ${why}${hint}.`
  const answers = readContract().map(async (operation) => {
    const { status, headers } = await send(callOf(operation)).catch(() => ({ status: 0, headers: null }))
    const type = `${headers?.['content-type'] ?? ''}`
    const isRefusal = status !== 200 && operation.responses.has(status)
    const isElsewhere = /^40[45]$/.test(`${status}`) || (/^text\/html/i.test(type) && !isRefusal)
    return isElsewhere ? `${operation.path} ${status} ${type}`.trim() : null
  })
  const elsewhere = await Promise.all(answers)
  if (elsewhere.includes(null)) return null
  return `is no backend of this contract: ${elsewhere.join(', ')}. Give the URL that has /api below it.`
}

const reason = await whyNot()
if (reason !== null) stop(`${host.href} ${reason}`)
// Only now, because an end that asks nothing needs no test runner.
const { startVitest } = await import('vitest/node')
const options = {
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  testNamePattern: new RegExp((values.only ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'),
}
// Failures are what was asked for, and no errors of the command.
const vitest = await startVitest([], options, {}, { stderr: process.stdout })
const modules = vitest.state.getTestModules()
const results = modules.flatMap(({ children }) => [...children.allTests()].map((test) => test.result()))
const errors = [...modules.flatMap((module) => module.errors()), ...results.flatMap((result) => result.errors ?? [])]
const own = [...errors, ...vitest.state.getUnhandledErrors()].find((error) => Object(error).name !== 'Contract')
if (own) stop(`${OWN} ${Object(own).message}`)
const notes = new Set(results.flatMap((result) => (result.state === 'skipped' && result.note ? [result.note] : [])))
const isFailed = results.some(({ state }) => state === 'failed')
if (notes.size === 0 && !results.some(({ state }) => state !== 'skipped'))
  stop(`No test has '${values.only}' in its title.`)
const unseen = [...notes, 'what else is stored, or twice', 'how long a key is kept', '429, 500, 503']
process.stdout.write(`Not checked: ${unseen.join('; ')}.
To delete what it stored: the rows whose email is LIKE 'contract+${settings.runId}.%'.\n`)
await vitest.close()
// Exits after the last byte is in the pipe, and does not wait for open connections.
process.stdout.write('', () => process.exit(isFailed ? 1 : 0))
