import { stringify } from 'csv-stringify/sync'
import stringWidth from 'string-width'
import { escapeControls, escapeControlsButBidi } from '../server/escape-controls.ts'

export type Fields = Readonly<Record<string, string | number | null | undefined>>

/** Lines that a terminal shows and never acts on. */
export const escapeForTerminal = (text: string): string => escapeControls(text).replaceAll('\t', '    ')

const ESCAPED = /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** JSON that is safe on a terminal, too. */
export const formatJson = (data: unknown): string =>
  `${JSON.stringify(data, null, 2).replace(ESCAPED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`

// A formula may start the cell, a line, or a part that a spreadsheet splits at semicolons or tabs; ";-)" is none.
const FORMULA = /(?<=^|[\n\r\v\f\u0085\u2028\u2029;\t])(?=["\p{Cf}\p{Zs}]*(?:[=+@＝＋－＠]|-(?!\))))/gu

/** Text that no spreadsheet evaluates. */
const escapeFormulas = (text: string): string => text.replace(FORMULA, "'").replace(/^(?=[\t\r])/, "'")

/**
 * Rows as RFC 4180 wants them; `header` is left out where they follow others. Control characters are written out
 * wherever it goes: a pipe may end in a terminal, and a file may be shown on one.
 */
export const formatCsv = (rows: readonly Fields[], columns: readonly string[], header = true): string =>
  stringify([...rows], {
    header,
    columns: [...columns],
    record_delimiter: 'windows',
    quoted_string: true,
    cast: {
      string: (text) => escapeFormulas(process.stdout.isTTY ? escapeForTerminal(text) : escapeControlsButBidi(text)),
    },
  })

function cut(text: string, room: number): string {
  if (stringWidth(text) <= room) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= room) break
    kept += segment
  }
  return `${kept}…`
}

/** One line for each row. Names get 30 characters, the last column the rest of the screen. */
export function formatTable(rows: readonly Fields[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((name) => escapeForTerminal(`${row[name] ?? ''}`).replaceAll('\n', ' ')))
  const lines = [columns, ...cells].map((line) => line.map((cell, i) => (columns[i] === 'name' ? cut(cell, 30) : cell)))
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => stringWidth(line[i] ?? ''))) + 2)
  const room = (process.stdout.columns ?? 120) - widths.slice(0, -1).reduce((sum, width) => sum + width, 0)
  const padded = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - stringWidth(cell))
  return lines
    .map((line) => `${line.slice(0, -1).map(padded).join('')}${cut(line.at(-1) ?? '', Math.max(room, 30))}\n`)
    .join('')
}
