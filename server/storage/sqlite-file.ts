import { closeSync, existsSync, lstatSync, openSync, readlinkSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../user-error.ts'

/** What the first 100 bytes of a SQLite file tell (https://www.sqlite.org/fileformat2.html#the_database_header). */
export type SqliteHeader = {
  /** Whether a write-ahead log belongs to the file. A server or command that ends cleanly leaves a file without one. */
  readonly usesLog: boolean
  /** Negative if a server has marked the file as in use: a random number, another one after each clean end. */
  readonly mark: number
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
  return {
    usesLog: bytes[18] === 2,
    mark: bytes.readInt32BE(68),
    size: pageSize * bytes.readUInt32BE(28),
  }
}

/** What to do whenever a file and its log are not what a server left. */
export const remedyFor = (file: string) =>
  `Put back what was there, with its -wal, or move ${file}* aside and run "leads restore" with a backup, or with the file itself.`

/**
 * Throws a UserError if the file and its log can't be what a server left. Only `access: 'read'` takes a file whose log is
 * missing, as it is.
 */
export function refuseIncomplete(file: string, access: 'read' | 'write') {
  const log = `${targetOf(file)}-wal`
  const header = sizeOf(file) > 0 ? readHeaderOf(file) : null
  const refuse = (what: string) => {
    throw new UserError(`${what} ${remedyFor(file)}`)
  }
  if (sizeOf(file) === 0 && sizeOf(log) > 0) refuse(`There is no database ${file}, but its log ${log} holds rows.`)
  if (header?.usesLog === false && sizeOf(log) > 0) refuse(`The log ${log} does not belong to ${file}.`)
  if (access === 'write' && header?.usesLog && header.mark < 0 && !existsSync(log)) {
    refuse(`The log ${log} is missing: ${file} was in use when its server was killed, or when it was copied.`)
  }
}

function readHeaderOf(file: string) {
  const handle = openSync(file, 'r')
  try {
    return readHeader(handle)
  } finally {
    closeSync(handle)
  }
}

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : 0
}

/** The log is beside the file that a link points to, even if that is missing. */
const targetOf = (file: string) =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? resolve(dirname(file), readlinkSync(file)) : file
