import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { getLineColLocation, lintFromString, loadConfig } from '@redocly/openapi-core'
import { isMap, LineCounter, parseDocument, visit } from 'yaml'

/** What is wrong, and where. */
export type Diagnostic = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** The line, the lines around it, and a mark below the column. */
  readonly frame: string
}

type Finding = Omit<Diagnostic, 'frame'>

/** What is checked again after each edit. */
export type DiagnosticSource = {
  /** What is wrong at the moment. */
  diagnostic(): Diagnostic | null
  /** Called after each check. */
  onCheck(listener: () => void): void
}

const RULES = join(import.meta.dirname, '../redocly.yaml')

/** The first error of a contract, by the same rules as in `npm run check`; null if there is none. */
export async function lint(file: string): Promise<Diagnostic | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    return { file, line: 1, column: 1, message: 'The file is gone.', frame: '' }
  }
  return summarize(yamlErrors(file, text) ?? (await ruleErrors(file, text)), text)
}

/** The first finding, in a file with this text, and the others in its message. */
export function summarize([first, ...others]: readonly Finding[], text: string): Diagnostic | null {
  if (!first) return null
  const also = others.slice(0, 4).map(({ file, line, column, message }) => {
    const place = file === first.file ? '' : `${relative('', file)}:`
    return `\nalso ${place}${line}:${column} ${message}`
  })
  const message = `${first.message}${also.join('')}${others.length > 4 ? `\nand ${others.length - 4} more` : ''}`
  return { ...first, message, frame: codeFrame(text, first) }
}

/** As the terminal shows it. */
export const format = ({ file, line, column, message, frame }: Diagnostic): string =>
  `${relative('', file)}:${line}:${column} ${message}\n${frame}`

function yamlErrors(file: string, text: string): Finding[] | null {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const found = document.errors.map(({ message, pos: [start] }) => ({ message, start }))
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document))
        found.push({ message: `There is no anchor ${alias.source}.`, start: alias.range?.[0] ?? 0 })
    },
  })
  if (found.length > 0) {
    return found.map(({ message, start }) => {
      const { line, col } = lines.linePos(start)
      return { file, line, column: col, message }
    })
  }
  if (isMap(document.contents)) return null
  const message = document.contents ? 'This is not an OpenAPI document.' : 'The file is empty.'
  return [{ file, line: 1, column: 1, message }]
}

async function ruleErrors(file: string, text: string): Promise<Finding[]> {
  const config = await loadConfig({ configPath: RULES })
  const problems = await lintFromString({ source: text, absoluteRef: file, config })
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location: [at] }) => {
      const start = at && getLineColLocation(at).start
      return { file, line: start?.line ?? 1, column: start?.col ?? 1, message }
    })
}

function codeFrame(text: string, { line, column }: Finding): string {
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
