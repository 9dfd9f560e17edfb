import { stringify } from 'csv-stringify/sync'
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

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/gu

const widthOf = (text: string) => [...text.replace(/[\p{M}\u200c\u200d]/gu, '').replace(WIDE, '$&$&')].length

const cut = (text: string, room: number) => (widthOf(text) <= room ? text : `${[...text].slice(0, room - 1).join('')}…`)

/** One line for each row. Names get 30 characters, the last column the rest of the screen. */
export function formatTable(rows: readonly Fields[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((name) => escapeForTerminal(`${row[name] ?? ''}`).replaceAll('\n', ' ')))
  const lines = [columns, ...cells].map((line) => line.map((cell, i) => (columns[i] === 'name' ? cut(cell, 30) : cell)))
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => widthOf(line[i] ?? ''))) + 2)
  const room = (process.stdout.columns ?? 120) - widths.slice(0, -1).reduce((sum, width) => sum + width, 0)
  const padded = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - widthOf(cell))
  return lines
    .map((line) => `${line.slice(0, -1).map(padded).join('')}${cut(line.at(-1) ?? '', Math.max(room, 30))}\n`)
    .join('')
}
