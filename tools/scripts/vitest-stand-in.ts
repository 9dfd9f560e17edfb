// Replaces vitest in the one file of the contract check, which needs only Node: collects the same tests, and runs them.
import { writeFileSync } from 'node:fs'

type Context = { readonly skip: (note: string) => never }
type Result = { state: 'passed' | 'failed' | 'skipped'; errors?: readonly Error[]; note?: string }
type Options = { readonly testNamePattern: Pick<RegExp, 'test'> }
type Test = { readonly name: string; readonly run: (context: Context) => Promise<void> }

class Skip extends Error {}
const tests: Test[] = []
let group = ''

export function describe(name: string, collect: () => void): void {
  group = name
  collect()
}
export const test = (name: string, run: Test['run']): void => void tests.push({ name: `${group} > ${name}`, run })

async function resultOf({ run }: Test): Promise<Result> {
  const skip = (note: string): never => {
    throw new Skip(note)
  }
  const error = await run({ skip }).catch((error) => error)
  if (error instanceof Skip) return { state: 'skipped', note: error.message }
  return error === undefined ? { state: 'passed' } : { state: 'failed', errors: [error] }
}

/** Runs the tests whose names match, and returns the part of vitest's results that the check reads. */
export async function startVitest(_filters: readonly [], options: Options) {
  // The collected tests import this file.
  await import('../../contract/check/answers.test.ts')
  await import('../../contract/check/sequences.test.ts')
  const results: (Result & { readonly name: string })[] = []
  for (const each of tests)
    if (options.testNamePattern.test(each.name)) results.push({ name: each.name, ...(await resultOf(each)) })
  const inState = (state: Result['state']) => results.filter((result) => result.state === state)
  const messages = new Set(inState('failed').map(({ errors = [] }) => errors[0]?.message))
  for (const message of messages) {
    const failedAlike = inState('failed').filter(({ errors = [] }) => errors[0]?.message === message)
    console.log(`${failedAlike.map(({ name }) => `✗ ${name}`).join('\n')}\n${message}\n`)
  }
  const [failed, passed] = [inState('failed').length, inState('passed').length]
  console.log(`${failed} failed, ${passed} passed, ${inState('skipped').length} skipped`)
  if (process.env.CONTRACT_JUNIT) writeFileSync(process.env.CONTRACT_JUNIT, junit(results))
  const children = { allTests: () => results.map((result) => ({ fullName: result.name, result: () => result })) }
  const state = { getTestModules: () => [{ children, errors: () => [] }], getUnhandledErrors: () => [] }
  return { state, close: () => Promise.resolve() }
}

function junit(results: readonly (Result & { readonly name: string })[]): string {
  const escaped = (text: string) => text.replace(/[&<>"\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const cases = results.map(({ name, state, note = '', errors = [] }) => {
    const skipped = state === 'skipped' ? `<skipped message="${escaped(note)}"/>` : ''
    const failures = errors.map(({ message }) => `<failure message="${escaped(message)}"/>`)
    return `<testcase classname="contract" name="${escaped(name)}">${skipped}${failures.join('')}</testcase>`
  })
  return `<?xml version="1.0"?>\n<testsuite name="contract">\n${cases.join('\n')}\n</testsuite>\n`
}
