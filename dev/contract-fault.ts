import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { getLineColLocation, lintFromString, loadConfig } from '@redocly/openapi-core'
import { isMap, LineCounter, parseDocument, visit } from 'yaml'

/** Why a contract can't be used, and where. */
export type Fault = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** The line, those around it, and a mark below the column. */
  readonly frame: string
}

type Place = Pick<Fault, 'line' | 'column' | 'message'>

const RULES = join(import.meta.dirname, '../redocly.yaml')

/** What is wrong with a contract, the first place first, by the rules that `npm run check` has; null if it can be used. */
export async function faultOf(file: string): Promise<Fault | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return { file, line: 1, column: 1, message: 'The file is gone.', frame: '' }
  }
  const [first, ...others] = misread(text) ?? (await brokenRules(file, text))
  if (!first) return null
  const also = others.slice(0, 4).map(({ line, column, message }) => `\nalso ${line}:${column} ${message}`)
  const message = `${first.message}${also.join('')}${others.length > 4 ? `\nand ${others.length - 4} more` : ''}`
  return { ...first, file, message, frame: frameOf(text, first) }
}

/** The fault as the terminal shows it. */
export const inWords = ({ file, line, column, message, frame }: Fault): string =>
  `${basename(file)}:${line}:${column} ${message}\n${frame}`

function misread(text: string): Place[] | null {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const found = document.errors.map(({ message, pos: [start] }) => ({ message, start }))
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document))
        found.push({ message: `No anchor is called ${alias.source}.`, start: alias.range?.[0] ?? 0 })
    },
  })
  if (found.length > 0) {
    return found.map(({ message, start }) => {
      const { line, col } = lines.linePos(start)
      return { line, column: col, message }
    })
  }
  if (isMap(document.contents)) return null
  return [{ line: 1, column: 1, message: document.contents ? 'This is no OpenAPI document.' : 'The file is empty.' }]
}

async function brokenRules(file: string, text: string): Promise<Place[]> {
  const config = await loadConfig({ configPath: RULES })
  const problems = await lintFromString({ source: text, absoluteRef: file, config })
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location: [at] }) => {
      const start = at && getLineColLocation(at).start
      return { line: start?.line ?? 1, column: start?.col ?? 1, message }
    })
}

function frameOf(text: string, { line, column }: Place): string {
  const lines = text.split(/\r?\n/)
  const first = Math.max(1, line - 2)
  const width = String(line + 2).length
  return lines
    .slice(first - 1, line + 2)
    .flatMap((content, index) => {
      const number = first + index
      const shown = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${content}`
      return number === line ? [shown, `  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`] : [shown]
    })
    .join('\n')
}
