import { readFileSync } from 'node:fs'
import { StartError } from '../server/configuration.ts'

// What systemd, shells and people read alike: in single quotes, in double quotes without \, or bare without quotes and \.
const ASSIGNMENT = /^[ \t]*([A-Za-z_]\w*)=(?:'([^']*)'|"([^"\\]*)"|([^\s'"\\](?:[^'"\\]*[^\s'"\\])?)?)[ \t]*$/

// A comment that ends in \ goes on in the next line.
const COMMENT = /^[ \t]*(?:[#;].*(?<!\\))?$/

/** What a file says that systemd takes as EnvironmentFile. Throws a StartError at a line that others may read otherwise. */
export function parseEnvironmentFile(text: string, file: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (COMMENT.test(line)) continue
    const [, name, ...value] = ASSIGNMENT.exec(line) ?? []
    // The line is not repeated: it may hold a password.
    if (name === undefined) throw new StartError(`Line ${i + 1} of ${file} can't be read: write NAME='value'.`)
    values[name] = value.find((each) => each !== undefined) ?? ''
  }
  return values
}

/** Sets in `env` what the file says and `env` does not. Throws a StartError if it is there and needed, and can't be read. */
export function loadEnvironmentFile(file: string, env: NodeJS.ProcessEnv): void {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    if (code === 'ENOENT' || env.DATABASE_URL) return
    throw new StartError(`Can't read ${file} (${code}): call this as root, or set DATABASE_URL.`)
  }
  for (const [name, value] of Object.entries(parseEnvironmentFile(text, file))) env[name] ??= value
}
