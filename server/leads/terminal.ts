import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import stringWidth from 'string-width'
import { escapeControls } from '../escape-controls.ts'
import { UserError } from '../user-error.ts'

/** Writes a line for people to standard error, because standard output is only for data. */
export const say = (line: string) => void process.stderr.write(`${line}\n`)

/** Returns if the user at the terminal answers yes, or has passed --yes; otherwise throws a UserError. */
export async function confirm(question: string, yes = false): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UserError('Not a terminal, cannot ask for confirmation. Nothing was erased; pass --yes to go ahead.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C rejects the question, and Ctrl-D never answers it: both mean no.
  const asked = terminal.question(`${question} [y/N] `).catch(() => '')
  const answer = await Promise.race([asked, once(terminal, 'close').then(() => '')])
  terminal.close()
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new UserError('Nothing was erased.')
}

const ESCAPED = /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON in which every control character is escaped, so that a terminal only shows it. */
export const formatJson = (data: unknown): string =>
  `${JSON.stringify(data, null, 2).replace(ESCAPED, escapeCharacter)}\n`

export type Fields = Readonly<Record<string, string | number | null | undefined>>

/** Text in which every control character is escaped, so that a terminal only shows it. */
const escapeForTerminal = (value: Fields[string]): string => escapeControls(`${value ?? ''}`).replaceAll('\t', '    ')

/** A line for each field, and more for a text of several lines. */
export const formatFields = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${escapeForTerminal(value).replaceAll('\n', '\n  ')}\n`)
    .join('')

/** One line for each row. Names get 30 characters, the last column the rest of the screen. */
export function formatTable(rows: readonly Fields[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cellsOf = (row: Fields) =>
    columns.map((name) => {
      const cell = escapeForTerminal(row[name]).replaceAll('\n', ' ')
      return name === 'name' ? cut(cell, 30) : cell
    })
  const lines = [columns, ...rows.map(cellsOf)]
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => stringWidth(line[i] ?? ''))) + 2)
  const room = (process.stdout.columns ?? 120) - widths.slice(0, -1).reduce((sum, width) => sum + width, 0)
  const padded = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - stringWidth(cell))
  return lines
    .map((line) => `${line.slice(0, -1).map(padded).join('')}${cut(line.at(-1) ?? '', Math.max(room, 30))}\n`)
    .join('')
}

function cut(text: string, room: number): string {
  if (stringWidth(text) <= room) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= room) break
    kept += segment
  }
  return `${kept}…`
}
