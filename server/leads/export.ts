import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import { FIELD_NAMES } from '../../src/domain/enquiry-fields.ts'
import { escapeControlCharacters } from '../escape-control-characters.ts'
import { type Db, FIELD_COLUMNS, type VisitorTable } from '../storage/database.ts'
import type { DatabaseLocation } from '../storage/database-url.ts'
import { openForCommand } from '../storage/open-database.ts'
import { showStep } from '../storage/progress.ts'
import { localTime, TIME_ZONE } from './terminal.ts'

/** The exported columns, in this order. The first is not `id`, because the program that imports them may have an `id`. */
const COLUMNS = {
  subscribers: ['subscriber', 'created_at', 'email'],
  enquiries: ['enquiry', 'created_at', ...FIELD_NAMES.map((name) => FIELD_COLUMNS[name])],
} as const

export type ExportOptions = { readonly since?: string; readonly excel?: true; readonly json?: true }

/** The rows of a table as CSV or JSON, in parts. */
export async function* readExport(address: DatabaseLocation, table: VisitorTable, options: ExportOptions) {
  const { since = '', excel = false, json } = options
  let isFirst = true
  for await (const rows of readPages(address, table, since)) {
    if (json) yield (isFirst ? '[' : ',') + rows.map((row) => formatJsonRow(row, table)).join(',')
    else yield formatCsv(rows, table, isFirst, excel)
    isFirst = false
  }
  if (json) yield '\n]\n'
}

/** How many rows are read at a time. They are few, because no server can commit during a read, and to save memory. */
const PAGE_ROWS = 50

/** The rows that are in a table at the start, in pages. The first page may be empty; the others never are. */
async function* readPages(address: DatabaseLocation, table: VisitorTable, since: string) {
  const database = await openForCommand(address)
  try {
    const last = await database.run((db) => selectFrom(db, table).orderBy('id', 'desc').limit(1).executeTakeFirst())
    let [after, count, isMore] = [0, 0, true]
    while (isMore) {
      const rows = await database.run((db) =>
        selectFrom(db, table)
          .where('id', '>', after)
          .where('id', '<=', last?.id ?? 0)
          .where('created_at', '>=', since)
          .orderBy('id')
          .limit(PAGE_ROWS)
          .execute(),
      )
      if (rows.length > 0 || after === 0) yield rows
      after = rows.at(-1)?.id ?? after
      count += rows.length
      isMore = rows.length === PAGE_ROWS
      if (count % 1000 === 0) showStep(`Exported rows: ${count}`)
    }
  } finally {
    await database.close()
  }
}

function selectFrom(db: Db, table: VisitorTable) {
  const [name, ...columns] = COLUMNS[table]
  return (
    db
      .selectFrom<VisitorTable>(table)
      .select(['id', sql<string>`${sql.lit(table.charAt(0))} || id`.as(name)])
      // The compiler does not connect the columns with the name of the table.
      .select(columns as readonly ('created_at' | 'email')[])
  )
}

/** JSON in which every control character is escaped, so that no text can control a terminal. */
export const formatJson = (data: object, columns?: string[]): string =>
  escapeControlCharacters(JSON.stringify(data, columns, 2), (hex) => `\\u${hex}`)

/** A row as an element of a list, on lines of its own. A line break in a text is escaped, so it makes no line. */
const formatJsonRow = (row: object, table: VisitorTable) =>
  `\n${formatJson(row, [...COLUMNS[table]])}`.replaceAll('\n', '\n  ')

// The place before a formula: at the start of a cell or a line, or after a semicolon or a tab. ";-)" is no formula.
const FORMULA = /(?<=^|[\n;\t])(?=["\p{Cf}\p{Zs}]*(?:[=+@＝＋－＠]|-(?!\))))/gu

/** A text of digits and signs, which a spreadsheet reads as a number or a date: 0012 would become 12. */
const NUMBER = /^(?=.*\d)[\d\p{P}\p{S}\p{Z}eE]+$/u

/** Text that no spreadsheet evaluates. */
const escapeFormulas = (text: string): string => text.replace(FORMULA, "'").replace(/^(?=\t)/, "'")

/**
 * CSV by RFC 4180. Control characters are escaped, because a pipe or a file may end up on a terminal. An address may
 * begin like a formula. For Excel it is escaped. In plain CSV it stays unchanged, because mail programs read this file.
 */
function formatCsv(rows: object[], table: VisitorTable, header: boolean, excel: boolean) {
  const text = stringify(rows, {
    header,
    bom: header && excel,
    columns: COLUMNS[table].map((key) => ({
      key,
      header: excel && key === 'created_at' ? `${key} (${TIME_ZONE})` : key,
    })),
    delimiter: excel ? '\t' : ',',
    record_delimiter: 'windows',
    quoted_string: true,
    cast: {
      string(text, { column, header: isHeader }) {
        if (isHeader || column === COLUMNS[table][0] || (column === 'email' && !excel))
          return escapeControlCharacters(text)
        if (column === 'created_at' && excel) return localTime(text)
        const escaped = escapeFormulas(escapeControlCharacters(text))
        return excel && NUMBER.test(escaped) ? escaped.replace(/^(?!')/, "'") : escaped
      },
    },
  })
  // Every Excel accepts tabs in UTF-16 with a byte order mark. In UTF-8, the German and the English Excel want different
  // separators.
  return excel ? Buffer.from(text, 'utf16le') : text
}
