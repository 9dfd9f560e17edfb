import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { codeFrameColumns } from '@babel/code-frame'
import { parseDocument } from 'yaml'

type Finding = { readonly file: string; readonly line: number; readonly column: number; readonly message: string }

/** The parts of a linter's error that are read here. */
type Problem = {
  readonly message: string
  readonly severity: string
  readonly location: readonly { readonly start?: { readonly line: number; readonly col: number } }[]
}

/** An error, its place, and the lines around it. */
export type Diagnostic = Finding & { readonly frame: string }

const RULES = join(import.meta.dirname, '../../redocly.yaml')
const LINTER = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
const TSC = join(import.meta.dirname, '../../node_modules/native-typescript/bin/tsc')
const TYPE_ERROR = /^(.+)\((\d+),(\d+)\): error (.+(?:\r?\n +.+)*)/gm
/** The most findings that are shown after the first one. */
const MAX_OTHERS = 4

/** A diagnostic as the terminal shows it. */
export const format = ({ file, line, column, message, frame }: Diagnostic): string =>
  `${relative('', file)}:${line}:${column} ${message}\n${frame}`

/** The first error of a contract by redocly.yaml; null if there is none. `npm run check` uses the same linter. */
export async function contractError(file: string): Promise<Diagnostic | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return summarize([{ file, line: 1, column: 1, message: 'The file is gone.' }])
  // The linter finds syntax errors too, but names the line after them.
  const [syntaxError] = parseDocument(text).errors
  if (syntaxError?.linePos) {
    const [{ line, col: column }] = syntaxError.linePos
    return summarize([{ file, line, column, message: syntaxError.message.replace(/ at line.*/s, '.') }])
  }
  const { error, stdout, stderr } = await run(LINTER, 'lint', file, '--config', RULES, '--format', 'json')
  if (!error) return null
  const report: { problems: Problem[] } = stdout.startsWith('{') ? JSON.parse(stdout) : { problems: [] }
  const errors = report.problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0)
    return summarize(
      errors.map(({ message, location: [place] }) => {
        const { line, col: column } = place?.start ?? { line: 1, col: 1 }
        return { file, line, column, message }
      }),
    )
  // The linter fails without a report if the document is no object, or has an alias without an anchor.
  const [, message = stderr || error.message, line = 1, column = 1] =
    /- (.+?)(?: in ".*" \((\d+):(\d+)\))?$/m.exec(stderr) ?? []
  return summarize([{ file, line: Number(line), column: Number(column), message }])
}

/** Runs a program of Node. */
const run = (...args: string[]) =>
  new Promise<{ error: Error | null; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => resolve({ error, stdout, stderr }))
  })

/** The first type error of the project in `folder`; null if there is none. */
export async function typeError(folder: string): Promise<Diagnostic | null> {
  const { error, stdout, stderr } = await run(TSC, '-p', folder, '--pretty', 'false', '--checkers', '1')
  const output = error ? stdout || stderr || error.message : ''
  const errors = [...output.matchAll(TYPE_ERROR)].map(([, file = '', line, column, message = '']) => {
    return { file: resolve(file), line: Number(line), column: Number(column), message }
  })
  const unknown = { file: join(folder, 'tsconfig.json'), line: 1, column: 1, message: output }
  return summarize(output && errors.length === 0 ? [unknown] : errors)
}

/** The first finding; its message lists the next ones too. */
async function summarize([first, ...others]: readonly Finding[]): Promise<Diagnostic | null> {
  if (!first) return null
  const { file } = first
  const otherLines = others.slice(0, MAX_OTHERS).map((other) => {
    const place = other.file === file ? '' : `${relative('', other.file)}:`
    return `\nalso ${place}${other.line}:${other.column} ${other.message}`
  })
  const lastLine = others.length > MAX_OTHERS ? `\nand ${others.length - MAX_OTHERS} more` : ''
  return atPlace({ ...first, message: `${first.message}${otherLines.join('')}${lastLine}` })
}

/** Adds the lines around a finding. */
export async function atPlace(finding: Finding): Promise<Diagnostic> {
  const { file, line, column } = finding
  const text = await readFile(file, 'utf8').catch(() => '')
  // The library counts columns from 0.
  return { ...finding, frame: codeFrameColumns(text, { start: { line, column: column - 1 } }, { linesBelow: 2 }) }
}
