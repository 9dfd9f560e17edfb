import { SourceMap, type SourceMapping } from 'node:module'
import { join } from 'node:path'
import type { ViteDevServer } from 'vite'
import { atPlace, type Diagnostic } from './diagnostics.ts'

/** What a component threw in the browser. */
export type Fault = { readonly message: string; readonly stack: string }

/** A line of a stack: the module's URL, its path in the project, and the place in what the browser has. */
const FRAME = /((\/src\/[^?:)\s]+)[^:)\s]*):(\d+):(\d+)/

/** The place in `src` where a fault was thrown, by the source map of the module that the browser has. */
export async function locateFault({ config, environments }: ViteDevServer, fault: Fault): Promise<Diagnostic> {
  const [, url = '', path = '', lineSent = '1', columnSent = '1'] = FRAME.exec(fault.stack) ?? []
  const [line, column] = [Number(lineSent) - 1, Number(columnSent) - 1]
  const map = (await environments.client.moduleGraph.getModuleByUrl(url))?.transformResult?.map
  // Vite's type leaves out fields of the payload that it has.
  const found: Partial<SourceMapping> = map ? new SourceMap(map as never).findEntry(line, column) : {}
  const { originalLine = line, originalColumn = column } = found
  const place = { file: join(config.root, path), line: originalLine + 1, column: originalColumn + 1 }
  return atPlace({ ...place, message: fault.message })
}
