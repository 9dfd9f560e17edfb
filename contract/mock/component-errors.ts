import { SourceMap, type SourceMapping } from 'node:module'
import { join } from 'node:path'
import type { ViteDevServer } from 'vite'
import { atPlace, type Diagnostic } from './diagnostics.ts'

/** An error that a component threw in the browser. */
export type Fault = { readonly message: string; readonly stack: string }

/** A line of a stack: the module's URL, its path in the project, and the place in the code that the browser runs. */
const FRAME = /((\/src\/[^?:)\s]+)[^:)\s]*):(\d+):(\d+)/

/** The place in `src` where a fault was thrown, by the source map of the module that the browser runs. */
export async function locateFault({ config, environments }: ViteDevServer, fault: Fault): Promise<Diagnostic> {
  const [, url = '', path = '', lineText = '1', columnText = '1'] = FRAME.exec(fault.stack) ?? []
  const [line, column] = [Number(lineText) - 1, Number(columnText) - 1]
  const map = (await environments.client.moduleGraph.getModuleByUrl(url))?.transformResult?.map
  // Vite's type lacks fields that the map has.
  const mapping: Partial<SourceMapping> = map ? new SourceMap(map as never).findEntry(line, column) : {}
  const { originalLine = line, originalColumn = column } = mapping
  const place = { file: join(config.root, path), line: originalLine + 1, column: originalColumn + 1 }
  return atPlace({ ...place, message: fault.message })
}
