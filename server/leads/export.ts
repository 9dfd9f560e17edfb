import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { FIELD_NAMES } from '../../src/domain/enquiry-fields.ts'
import { escapeControls } from '../escape-controls.ts'
import { type Db, FIELD_COLUMNS, type VisitorTable } from '../storage/database.ts'
import { localTime, TIME_ZONE } from './terminal.ts'

/** The exported columns, in this order. The first is the name of the row: an id would be another program's own key. */
const COLUMNS = {
  subscribers: ['subscriber', 'created_at', 'email'],
  enquiries: ['enquiry', 'created_at', ...FIELD_NAMES.map((name) => FIELD_COLUMNS[name])],
} as const

export type ExportOptions = { readonly since?: string; readonly excel?: true; readonly json?: true }

/** The rows of a table as CSV or JSON. */
export async function exportOf(db: Db, table: VisitorTable, { since = '', excel, json }: ExportOptions) {
  const [name, ...columns] = COLUMNS[table]
  const rows = await db
    .selectFrom<VisitorTable>(table)
    .select(sql<string>`${sql.lit(table.charAt(0))} || id`.as(name))
    // The compiler does not connect the columns with the name of the table.
    .select(columns as readonly ('created_at' | 'email')[])
    .where('created_at', '>=', since)
    .orderBy('id')
    .execute()
  if (json) return formatJson(rows)
  if (!excel) return formatCsv(rows, table)
  // Excel takes tabs for separators in every language only in UTF-16 with a byte order mark; in UTF-8 its German and
  // English versions want different separators.
  return Buffer.from(`\ufeff${formatCsv(rows, table, true)}`, 'utf16le')
}

/** JSON in which every control character is escaped, so that a terminal only shows it. */
export const formatJson = (data: unknown): string =>
  `${escapeControls(JSON.stringify(data, null, 2), (hex) => `\\u${hex}`)}\n`

// A formula may start the cell, a line, or a part that a spreadsheet splits at semicolons or tabs. ";-)" is no formula.
const FORMULA = /(?<=^|[\n;\t])(?=["\p{Cf}\p{Zs}]*(?:[=+@＝＋－＠]|-(?!\))))/gu

/** A text of digits and signs, which a spreadsheet reads as a number or a date: 0012 would become 12. */
const NUMBER = /^(?=.*\d)[\d\p{P}\p{S}\p{Z}eE]+$/u

/** Text that no spreadsheet evaluates. */
const escapeFormulas = (text: string): string => text.replace(FORMULA, "'").replace(/^(?=\t)/, "'")

/**
 * CSV by RFC 4180. Control characters are escaped, because a pipe or a file may end up on a terminal. An address may
 * begin like a formula: for the mail tool it stays unchanged, for a spreadsheet it is escaped.
 */
const formatCsv = (rows: object[], table: VisitorTable, excel = false): string =>
  stringify(rows, {
    header: true,
    columns: COLUMNS[table].map((key) => ({
      key,
      header: excel && key === 'created_at' ? `${key} (${TIME_ZONE})` : key,
    })),
    delimiter: excel ? '\t' : ',',
    record_delimiter: 'windows',
    quoted_string: true,
    cast: {
      string(text, { column, header: isHeader }) {
        if (isHeader || column === COLUMNS[table][0] || (column === 'email' && !excel)) return escapeControls(text)
        if (column === 'created_at' && excel) return localTime(text)
        const escaped = escapeFormulas(escapeControls(text))
        return excel && NUMBER.test(escaped) ? escaped.replace(/^(?!')/, "'") : escaped
      },
    },
  })
