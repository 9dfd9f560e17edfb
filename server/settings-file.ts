import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { UserError } from './user-error.ts'

/**
 * The forms that systemd, Compose, Node and this program read alike: a value without blanks, quotes, `#`, `$` or
 * backslash; or a value in single quotes, without a single quote or a backslash in it.
 */
const LINE = /^([A-Za-z_]\w*)=(?:([^\s#$'"`\\]*)|'([^'\\]*)')$/

// Older releases of systemd read a line as a part of the comment before it, if that comment ends in a backslash.
const COMMENT = /^#(?!.*\\$)/

// systemd drops a value with a control character, and ends a line at some of these characters.
const CONTROL = /(?!\t)\p{Cc}/u

/**
 * The settings of a file, of which each line is empty, a comment that begins with #, or one setting. Throws a UserError
 * that names the first line that another program would read differently, or whose name is not among `names`.
 */
export function readSettingsFile(file: string, names: readonly string[]): Readonly<Record<string, string>> {
  const text = readText(file)
  const settings: Record<string, string> = {}
  for (const [i, line] of text.split('\n').entries()) {
    // The line is not repeated: it may hold a password.
    const refuse = (reason: string): never => {
      throw new UserError(`Line ${i + 1} of ${file} ${reason}`)
    }
    if (CONTROL.test(line)) refuse(faultOf(line))
    if (line === '' || COMMENT.test(line)) continue
    const [, name = '', plain, quoted] = LINE.exec(line) ?? refuse(faultOf(line))
    if (!names.includes(name)) refuse(`sets ${name}, which is no setting. There are ${names.join(', ')}.`)
    if (Object.hasOwn(settings, name)) refuse(`sets ${name} again: delete one of the two lines.`)
    settings[name] = quoted ?? plain ?? ''
  }
  return settings
}

function readText(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UserError(`Can't read the settings file ${file}: ${error instanceof Error ? error.message : error}.`)
  }
  if (!isUtf8(bytes)) throw new UserError(`${file} is not UTF-8: save it as UTF-8.`)
  if (bytes.toString().startsWith('\ufeff')) {
    throw new UserError(`${file} begins with a byte order mark: save it as UTF-8 without one.`)
  }
  return bytes.toString()
}

/** The fault of a line, in fixed words. */
function faultOf(line: string): string {
  if (line.endsWith('\r')) return 'ends in CRLF, as Windows writes it: save the file with Unix line ends (LF).'
  if (CONTROL.test(line)) return 'holds a control character: delete it.'
  if (line.startsWith('#')) return 'is a comment that ends in a backslash: delete the backslash.'
  if (/^\s*export\s/.test(line)) return 'begins with export, which systemd does not know: delete that word.'
  if (/^\s|\s$/.test(line)) return 'begins or ends with a blank: delete it.'
  if (/^\w+\s*=/.test(line) && !/^\w+=/.test(line)) return 'has a blank before the =: delete it.'
  return "is read differently by different programs: write NAME=value, or NAME='value' if the value has a blank or a special character, without a remark behind it. A value can't contain a quote or a backslash."
}
