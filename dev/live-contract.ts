import { watch } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Fault, faultOf, inWords } from './contract-fault.ts'
import { type Mock, type Operation, readOperations, startMock } from './mock.ts'
import { type Scenarios, scenariosOf } from './scenarios.ts'

const QUIET = 150

/** A contract that can be used, and the mock that keeps it. */
type Contract = {
  readonly operations: readonly Operation[]
  readonly scenarios: Scenarios
  readonly mock: Mock
}

export type LiveContract = {
  /** The last contract that could be used. */
  current(): Contract
  /** What is wrong with the file as it stands. */
  fault(): Fault | null
  /** Hears of each reading of the changed file. */
  onReading(listener: () => void): void
  close(): Promise<void>
}

/** Reads the contract again whenever its file changes, and writes its types. Throws what is wrong with it at the start. */
export async function openContract(file: string, types: string): Promise<LiveContract> {
  const broken = await faultOf(file)
  if (broken) throw new Error(inWords(broken))
  let current = await read(file)
  let fault: Fault | null = null
  let reading: Promise<void> | null = null
  let changed = false
  let timer: NodeJS.Timeout | undefined
  const listeners: (() => void)[] = []

  async function renew() {
    fault = await faultOf(file)
    if (fault) return
    const [next] = await Promise.all([read(file), writeTypes(file, types)])
    const { mock } = current
    current = next
    // It still answers the calls that it has.
    void mock.close()
  }

  async function readAgain() {
    do {
      changed = false
      await renew().catch(({ message }: Error) => {
        fault = { file, line: 1, column: 1, message, frame: '' }
      })
    } while (changed)
    reading = null
    for (const listener of listeners) listener()
  }

  function wake() {
    changed = true
    reading ??= readAgain()
  }

  // A folder tells of files that an editor puts in place of another, and tells of one saving several times.
  const watcher = watch(dirname(file), (_event, name) => {
    if (name !== basename(file)) return
    clearTimeout(timer)
    timer = setTimeout(wake, QUIET)
  })

  return {
    current: () => current,
    fault: () => fault,
    onReading: (listener) => listeners.push(listener),
    async close() {
      watcher.close()
      clearTimeout(timer)
      await reading
      await current.mock.close()
    },
  }
}

async function read(file: string): Promise<Contract> {
  const operations = await readOperations(file)
  return { operations, scenarios: scenariosOf(operations), mock: await startMock(operations) }
}

/** As `npm run generate` does. */
async function writeTypes(file: string, types: string) {
  // Its compiler is loaded by the first edit, not by every start.
  const { astToString, COMMENT_HEADER, default: generate } = await import('openapi-typescript')
  await writeFile(types, COMMENT_HEADER + astToString(await generate(pathToFileURL(file))))
}
