import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Result } from './json-reporter.ts'

/** Runs the tests of the check whose names contain one of these texts; all tests, if there is no text. */
export async function runCheck(host: string, texts: readonly string[] = [], args: readonly string[] = []) {
  const patterns = texts.map((text) => `--test-name-pattern=${text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`)
  const flags = ['--test-reporter=./tests/support/contract/json-reporter.ts', ...patterns]
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, 'contract/check/main.ts', host, ...args],
    { maxBuffer: 2 ** 24 },
  ).catch((error) => error)
  const results: Result[] = `${stdout}`.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  return {
    names: results.map(({ name }) => name),
    failed: results.flatMap(({ name, message }) => (message === undefined ? [] : [{ name, message }])),
    /** What it wrote beside the report: the promises that could not be checked. */
    notes: `${stderr}`,
  }
}
