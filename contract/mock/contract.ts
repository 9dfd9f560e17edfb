import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { readContract } from '../operations.ts'
import { contractError, type Diagnostic, format } from './diagnostics.ts'
import { readOperations, startMock } from './mock.ts'
import { scenariosOf } from './scenarios.ts'

export type Contract = Awaited<ReturnType<typeof openContract>>

/** The last valid contract of a file. Throws if the contract is invalid at the start. */
export async function openContract(file: string, types: string) {
  const error = await contractError(file)
  if (error) throw new Error(format(error))
  let current = await read(file)
  return {
    current: () => current,
    /** Reads the file again and writes its types, or returns its first error. */
    async reload(log: (line: string) => void): Promise<Diagnostic | null> {
      const text = await readFile(file, 'utf8').catch(() => null)
      if (text === current.text) return null
      const error = await contractError(file)
      if (error) {
        log('The mock still uses the last valid contract.')
        return error
      }
      const { mock } = current
      const [newContract] = await Promise.all([read(file), writeTypes(file, types)])
      current = newContract
      // The old mock still answers the calls in flight.
      void mock.close()
      log(`Contract reloaded: types and mock are up to date. Mock: ${newContract.mock.origin}/`)
      return null
    },
    close: () => current.mock.close(),
  }
}

/** A valid contract, and the mock that answers by it. */
async function read(file: string) {
  const text = await readFile(file, 'utf8')
  const mocked = await readOperations(file)
  const operations = readContract(parse(text))
  return { text, operations, scenarios: scenariosOf(mocked), mock: await startMock(mocked, operations) }
}

/** Writes the types of the contract as `npm run generate` does. */
async function writeTypes(file: string, types: string) {
  // Imported only with the first edit, because it loads a compiler.
  const { astToString, COMMENT_HEADER, default: generate } = await import('openapi-typescript')
  await writeFile(types, COMMENT_HEADER + astToString(await generate(pathToFileURL(file))))
}
