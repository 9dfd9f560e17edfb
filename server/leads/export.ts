import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { escapeControls } from '../escape-controls.ts'
import type { Db, LeadTable } from '../storage/database.ts'
import type { DatabaseAddress } from '../storage/database-url.ts'
import { UserError } from '../user-error.ts'
import { localTime, TIME_ZONE } from './terminal.ts'

/** The exported columns, in this order. */
const COLUMNS = {
  subscribers: ['id', 'created_at', 'email'],
  enquiries: ['id', 'created_at', 'first_name', 'last_name', 'email', 'message'],
} as const

export type Form = { readonly since?: string; readonly excel?: true; readonly json?: true }

/** The rows of a table as CSV or JSON. */
export async function exportOf(db: Db, table: LeadTable, { since = '', excel, json }: Form): Promise<Buffer> {
  const rows = await db
    .selectFrom<LeadTable>(table)
    // The compiler does not connect the columns with the name of the table.
    .select(COLUMNS[table] as (typeof COLUMNS)['subscribers'])
    .where('created_at', '>=', since)
    .orderBy('id')
    .execute()
  if (json) return Buffer.from(formatJson(rows))
  if (!excel) return Buffer.from(formatCsv(rows, table))
  // Excel takes tabs for separators in every language only in UTF-16 with a byte order mark; in UTF-8 its German and
  // English versions want different separators.
  return Buffer.from(`\ufeff${formatCsv(rows, table, true)}`, 'utf16le')
}

/** Writes to standard output, or to a file that only its owner can read, and that has its name once it is complete. */
export function writeOut(content: Buffer, database: DatabaseAddress, out?: string) {
  if (out === undefined) {
    process.stdout.write(content)
    return
  }
  const file = resolve(out)
  if (existsSync(file) && !statSync(file).isFile()) throw new UserError(`${file} is no file: name a new file.`)
  if (database.kind === 'sqlite' && database.file === file) {
    throw new UserError(`${file} is the database: name another file.`)
  }
  const partFile = `${file}.${process.pid}.part`
  writeFileSync(partFile, content, { flag: 'wx', mode: 0o600, flush: true })
  renameSync(partFile, file)
}

const ESCAPED = /[\x7f-\x9f\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON in which every control character is escaped, so that a terminal only shows it. */
export const formatJson = (data: unknown): string =>
  `${JSON.stringify(data, null, 2).replace(ESCAPED, escapeCharacter)}\n`

// A formula may start the cell, a line, or a part that a spreadsheet splits at semicolons or tabs. ";-)" is no formula.
const FORMULA = /(?<=^|[\n;\t])(?=["\p{Cf}\p{Zs}]*(?:[=+@＝＋－＠]|-(?!\))))/gu

/** Text that no spreadsheet evaluates. */
const escapeFormulas = (text: string): string => text.replace(FORMULA, "'").replace(/^(?=\t)/, "'")

/**
 * CSV by RFC 4180. Control characters are escaped, because a pipe or a file may end up on a terminal. An address may
 * begin like a formula: for the mail tool it stays unchanged, for a spreadsheet it is escaped.
 */
const formatCsv = (rows: object[], table: LeadTable, excel = false): string =>
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
        if (isHeader || (column === 'email' && !excel)) return escapeControls(text)
        return column === 'created_at' && excel ? localTime(text) : escapeFormulas(escapeControls(text))
      },
    },
  })
