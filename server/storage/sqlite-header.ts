import { readSync } from 'node:fs'

/** What the first 100 bytes of a SQLite file tell (https://www.sqlite.org/fileformat2.html#the_database_header). */
export type SqliteHeader = {
  /** Random, set when the tables are created. Only a copy of the file has the same. */
  readonly id: number
  /** How often the file's size or schema changed: it never decreases. */
  readonly changes: number
  /** In bytes. The file is at least as long. */
  readonly size: number
}

const HEADER_LENGTH = 100

const MAGIC = 'SQLite format 3\0'

/** Reads the header of an open file; null if it has none. */
export function readHeader(handle: number): SqliteHeader | null {
  const bytes = Buffer.alloc(HEADER_LENGTH)
  if (readSync(handle, bytes, 0, HEADER_LENGTH, 0) < HEADER_LENGTH || !bytes.toString('latin1').startsWith(MAGIC)) {
    return null
  }
  // 1 stands for 65,536, which two bytes can't hold.
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16)
  return { id: bytes.readUInt32BE(68), changes: bytes.readUInt32BE(24), size: pageSize * bytes.readUInt32BE(28) }
}
