import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { type Operation, readContract } from '../contract/operations.ts'
import { type Diagnostic, type DiagnosticSource, format, lint } from './diagnostics.ts'
import { type Mock, readOperations, startMock } from './mock.ts'
import { onEdit } from './on-edit.ts'
import { type Scenarios, scenariosOf } from './scenarios.ts'

/** A valid contract, and the mock that answers by it. */
type Contract = {
  readonly operations: readonly Operation[]
  readonly scenarios: Scenarios
  readonly mock: Mock
}

export type ContractWatcher = DiagnosticSource & {
  /** The last valid contract. */
  current(): Contract
  close(): Promise<void>
}

/** Reloads the contract and writes its types whenever its file changes. Throws if it is invalid at the start. */
export async function watchContract(file: string, types: string): Promise<ContractWatcher> {
  const error = await lint(file)
  if (error) throw new Error(format(error))
  let current = await read(file)
  let diagnostic: Diagnostic | null = null
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

  const watcher = onEdit(dirname(file), basename(file), async () => {
    await reload().catch(({ message }: Error) => {
      diagnostic = { file, line: 1, column: 1, message, frame: '' }
    })
    for (const listener of listeners) listener()
  })

  return {
    current: () => current,
    diagnostic: () => diagnostic,
    onCheck: (listener) => listeners.push(listener),
    async close() {
      await watcher.close()
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
