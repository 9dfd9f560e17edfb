import { readFileSync } from 'node:fs'
import { UserError } from '../server/user-error.ts'

// Only what systemd and shells read alike: in single quotes, in double quotes without \, or bare without quotes and \.
const ASSIGNMENT = /^[ \t]*([A-Za-z_]\w*)=(?:'([^']*)'|"([^"\\]*)"|([^\s'"\\](?:[^'"\\]*[^\s'"\\])?)?)[ \t]*$/

// A comment that ends in \ continues on the next line.
const COMMENT = /^[ \t]*(?:[#;].*(?<!\\))?$/

/** Reads systemd's EnvironmentFile format. Throws a UserError at a line that other programs might read differently. */
export function parseEnvironmentFile(text: string, file: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (COMMENT.test(line)) continue
    const [, name, ...value] = ASSIGNMENT.exec(line) ?? []
    // The line is not repeated: it may hold a password.
    if (name === undefined) throw new UserError(`Line ${i + 1} of ${file} is not NAME='value'.`)
    values[name] = value.find((each) => each !== undefined) ?? ''
  }
  return values
}

/** Adds to `env` what it lacks. Throws a UserError if the file exists, is needed, and can't be read. */
export function loadEnvironmentFile(file: string, env: NodeJS.ProcessEnv): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ENOENT' || env.DATABASE_URL) return
    throw new UserError(`Can't read ${file} (${code}): run this as root, or set DATABASE_URL.`)
  }
  for (const [name, value] of Object.entries(parseEnvironmentFile(text, file))) env[name] ??= value
}
