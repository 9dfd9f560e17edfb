import { watch } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { type Operation, readContract } from '../contract/operations.ts'
import { type Diagnostic, format, lint } from './diagnostics.ts'
import { type Mock, readOperations, startMock } from './mock.ts'
import { type Scenarios, scenariosOf } from './scenarios.ts'

const DEBOUNCE_MS = 150

/** A valid contract, and the mock that answers by it. */
type Contract = {
  readonly operations: readonly Operation[]
  readonly scenarios: Scenarios
  readonly mock: Mock
}

export type ContractWatcher = {
  /** The last valid contract. */
  current(): Contract
  /** What is wrong with the file at the moment. */
  diagnostic(): Diagnostic | null
  /** Called after each reload, whether the file is valid or not. */
  onReload(listener: () => void): void
  close(): Promise<void>
}

/** Reloads the contract and writes its types whenever its file changes. Throws if it is invalid at the start. */
export async function watchContract(file: string, types: string): Promise<ContractWatcher> {
  const error = await lint(file)
  if (error) throw new Error(format(error))
  let current = await read(file)
  let diagnostic: Diagnostic | null = null
  let reloading: Promise<void> | null = null
  let changed = false
  let timer: NodeJS.Timeout | undefined
  const listeners: (() => void)[] = []

  async function reload() {
    diagnostic = await lint(file)
    if (diagnostic) return
    const [next] = await Promise.all([read(file), writeTypes(file, types)])
    const { mock } = current
    current = next
    // It still answers the calls in flight.
    void mock.close()
  }

  async function reloadUntilSettled() {
    do {
      changed = false
      await reload().catch(({ message }: Error) => {
        diagnostic = { file, line: 1, column: 1, message, frame: '' }
      })
    } while (changed)
    reloading = null
    for (const listener of listeners) listener()
  }

  function onChange() {
    changed = true
    reloading ??= reloadUntilSettled()
  }

  // Watching the folder also sees editors that replace the file. One save causes several events.
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, DEBOUNCE_MS)
  })

  return {
    current: () => current,
    diagnostic: () => diagnostic,
    onReload: (listener) => listeners.push(listener),
    async close() {
      watcher.close()
      clearTimeout(timer)
      await reloading
      await current.mock.close()
    },
  }
}

async function read(file: string): Promise<Contract> {
  const mocked = await readOperations(file)
  const operations = readContract(parse(await readFile(file, 'utf8')))
  return { operations, scenarios: scenariosOf(mocked), mock: await startMock(mocked) }
}

/** As `npm run generate` does. */
async function writeTypes(file: string, types: string) {
  // Loads a compiler, so only with the first edit.
  const { astToString, COMMENT_HEADER, default: generate } = await import('openapi-typescript')
  await writeFile(types, COMMENT_HEADER + astToString(await generate(pathToFileURL(file))))
}
