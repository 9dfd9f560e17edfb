import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Diagnostic, type DiagnosticSource, summarize } from './diagnostics.ts'
import { onEdit } from './on-edit.ts'

const TSC = join(import.meta.dirname, '../node_modules/typescript-7/bin/tsc')
const ERROR = /^(.+)\((\d+),(\d+)\): error (.+(?:\r?\n +.+)*)/gm

/** Checks the types of the project in `folder` at once and after each edit, in a process that nothing waits for. */
export function watchTypes(folder: string): DiagnosticSource & { close(): Promise<void> } {
  let diagnostic: Diagnostic | null = null
  const listeners: (() => void)[] = []

  async function check() {
    diagnostic = await typeErrors(folder)
    for (const listener of listeners) listener()
  }

  const { trigger, close } = onEdit(folder, null, check)
  trigger()
  return { diagnostic: () => diagnostic, onCheck: (listener) => listeners.push(listener), close }
}

async function typeErrors(folder: string): Promise<Diagnostic | null> {
  const args = [TSC, '-p', folder, '--pretty', 'false']
  const output = await new Promise<string | null>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) => resolve(error && (stdout || stderr || error.message)))
  })
  if (output === null) return null
  const errors = [...output.matchAll(ERROR)].map(([, file = '', line, column, message = '']) => ({
    file: resolve(file),
    line: Number(line),
    column: Number(column),
    message,
  }))
  const [first = { file: join(folder, 'tsconfig.json'), line: 1, column: 1, message: output }, ...others] = errors
  return summarize([first, ...others], await readFile(first.file, 'utf8').catch(() => ''))
}
