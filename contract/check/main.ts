// Checks whether a running backend keeps openapi.yaml: npm run contract -- URL
import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readContract } from '../operations.ts'
import type { Settings } from './call.ts'

const USAGE = `Usage: npm run contract -- URL [options]
  --origin URL              where visitors find the page, if not at the backend's own origin
  --header 'Name: value'    is sent with every call; may be repeated; its value is not shown
  --restart COMMAND         kills the backend and starts it again: checks that nothing acknowledged is lost
  --only TEXT               runs only the tests that have this text in their titles
  --junit FILE              also writes the result as JUnit XML
Exit code: 0 if all passed, 1 if some failed, 2 if the backend can't be asked, or the command or the check is wrong.`

const NOT_THE_BACKEND = 'The fault is not in the backend:'
/** Ends without a result about the backend. */
function stop(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

process.on('uncaughtException', ({ message }) => stop(`${NOT_THE_BACKEND} ${message}`))

function readArguments() {
  const [text, list] = [{ type: 'string' }, { type: 'string', multiple: true }] as const
  try {
    const options = { origin: text, header: list, restart: text, only: text, junit: text } as const
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    return stop(process.argv.includes('--help') ? USAGE : `${Object(error).message} See --help.`)
  }
}

/** Reads a URL, with http if it has no scheme. */
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

/** The reason why the check can't ask the backend, or null. It can ask a backend that breaks the contract. */
async function reasonToStop(): Promise<string | null> {
  const error = await send(PING).catch(({ message }) => message)
  const isUntrusted = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(error)
  const hint = isUntrusted ? ". Set NODE_EXTRA_CA_CERTS to its authority's file" : ''
  // An error code of Node is in capitals. With any other error at least a part of an answer has come.
  if (/^[A-Z\d_]+$/.test(error)) return `can't be asked: ${error}${hint}.`
  const answers = readContract().map(async (operation) => {
    const { status, headers } = await send(callOf(operation)).catch(() => ({ status: 0, headers: null }))
    const type = `${headers?.['content-type'] ?? ''}`
    const isRefusal = status !== 200 && operation.responses.has(status)
    const isUnknown = /^40[45]$/.test(`${status}`) || (/^text\/html/i.test(type) && !isRefusal)
    return isUnknown ? `${operation.path} ${status} ${type}`.trim() : null
  })
  const unknownPaths = await Promise.all(answers)
  if (unknownPaths.includes(null)) return null
  return `is no backend of this contract: ${unknownPaths.join(', ')}. Give the URL that has /api below it.`
}

const reason = await reasonToStop()
if (reason !== null) stop(`${host.href} ${reason}`)
// Imported only now: without a backend to ask, no test runner is needed.
const { startVitest } = await import('vitest/node')
const options = {
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  testNamePattern: new RegExp((values.only ?? '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'),
}
// Failed tests are the result of the command, not its errors: they go to standard output.
const vitest = await startVitest([], options, {}, { stderr: process.stdout })
const modules = vitest.state.getTestModules()
const results = modules.flatMap(({ children }) => [...children.allTests()].map((test) => test.result()))
const errors = [...modules.flatMap((module) => module.errors()), ...results.flatMap((result) => result.errors ?? [])]
const ownError = [...errors, ...vitest.state.getUnhandledErrors()].find((error) => Object(error).name !== 'Contract')
if (ownError) stop(`${NOT_THE_BACKEND} ${Object(ownError).message}`)
const notes = new Set(results.flatMap((result) => (result.state === 'skipped' && result.note ? [result.note] : [])))
const isFailed = results.some(({ state }) => state === 'failed')
if (notes.size === 0 && !results.some(({ state }) => state !== 'skipped'))
  stop(`No test has '${values.only}' in its title.`)
const unchecked = [...notes, 'whether more is stored, or twice', 'how long a key is kept', '429, 500, 503']
process.stdout.write(`Not checked: ${unchecked.join('; ')}.
To delete what it stored: the rows whose email is LIKE 'contract+${settings.runId}.%'.\n`)
await vitest.close()
// Exits after the last byte is in the pipe, and does not wait for open connections.
process.stdout.write('', () => process.exit(isFailed ? 1 : 0))
