import { createWriteStream, existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify/sync'
import { escapeControls } from '../escape-controls.ts'
import { UserError } from '../user-error.ts'
import { configuredDatabase, isFile } from './database.ts'
import { type Db, EXPORTED, type LeadTable, pages, type Rows } from './rows.ts'
import { localTime, TIME_ZONE } from './times.ts'

export type Out = { readonly out?: string; readonly force?: true }

/** Writes to standard output, or to a new file that only its owner can read. */
export async function writeOut(content: Iterable<string> | AsyncIterable<Buffer>, { out, force }: Out) {
  if (out === undefined) return pipeline(content, process.stdout, { end: false })
  const exists = existsSync(out)
  if (exists && !isFile(out)) {
    throw new UserError(`${out} is not a regular file: omit --out and redirect standard output there.`)
  }
  if (exists && isDatabase(out)) throw new UserError(`${out} is the database: name another file.`)
  if (exists && !force) throw new UserError(`${out} exists already: pass --force to replace it.`)
  // Replaces the target of a link, not the link.
  await writeWhole(exists ? realpathSync(out) : out, (partFile) =>
    pipeline(content, createWriteStream(partFile, { flags: 'wx', mode: 0o600, flush: true })),
  )
}

function isDatabase(file: string): boolean {
  const database = configuredDatabase()
  return database.kind === 'sqlite' && realpathSync(database.file) === realpathSync(file)
}

/** Writes a file that gets its name once it is complete. An incomplete file is removed, except after kill -9. */
export async function writeWhole(file: string, write: (part: string) => Promise<void>) {
  const partFile = `${file}.${process.pid}.part`
  process.on('exit', () => {
    // In a folder that this user may not enter, rmSync would throw even for a missing file.
    for (const path of [partFile, `${partFile}-journal`].filter(existsSync)) rmSync(path, { force: true })
  })
  await write(partFile)
  renameSync(partFile, file)
}

/**
 * The rows as CSV, page by page. Excel takes tabs for separators in every language only in UTF-16 with a byte order
 * mark; in UTF-8 its German and English versions want different separators.
 */
export async function* csvPages(db: Db, table: LeadTable, since: string, excel: boolean) {
  const format = (rows: Rows[LeadTable][], header = false) => formatCsv(rows, EXPORTED[table], header, excel)
  const encode = (text: string) => Buffer.from(text, excel ? 'utf16le' : 'utf8')
  yield encode(`${excel ? '\ufeff' : ''}${format([], true)}`)
  for await (const page of pages(db, table)) yield encode(format(page.filter((row) => row.created_at >= since)))
}

// A formula may start the cell, a line, or a part that a spreadsheet splits at semicolons or tabs. ";-)" is no formula.
const FORMULA = /(?<=^|[\n;\t])(?=["\p{Cf}\p{Zs}]*(?:[=+@＝＋－＠]|-(?!\))))/gu

/** Text that no spreadsheet evaluates. */
const escapeFormulas = (text: string): string => text.replace(FORMULA, "'").replace(/^(?=\t)/, "'")

/**
 * CSV by RFC 4180. Control characters are escaped, because a pipe or a file may end up on a terminal. An address may
 * begin like a formula: for the mail tool it stays unchanged, for a spreadsheet it is escaped.
 */
const formatCsv = (rows: Rows[LeadTable][], columns: readonly string[], header: boolean, excel: boolean): string =>
  stringify(rows, {
    header,
    columns: columns.map((key) => ({ key, header: excel && key === 'created_at' ? `${key} (${TIME_ZONE})` : key })),
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
