import { closeSync, fstatSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type SqliteFile from 'better-sqlite3'
import { LostDatabase, type ServedDatabase } from './database.ts'
import { type LossMarker, markerOf, writeMarker } from './loss-marker.ts'
import { readHeader } from './sqlite-header.ts'

export type FileWatch = {
  /** Throws a LostDatabase if the file is no longer the one that was opened, from then on always. */
  check(): void
  isLost(): boolean
  status(): ReturnType<ServedDatabase['fileStatus']>
  /** Call it after SQLite has closed the file. */
  close(): void
}

type Loss = 'missing' | 'replaced' | 'overwritten' | 'without its log'

/**
 * Recognises that a file in use was deleted, moved, replaced or overwritten, or lost its write-ahead log or the log's
 * index. Then it leaves a marker, and reports once what happened. It copies, renames and deletes nothing.
 */
export function watchFile(sqlite: SqliteFile.Database, file: string, report: (line: string) => void): FileWatch {
  // The log is beside the file that a link points to.
  const real = realpathSync(file)
  // Not closed before SQLite's: a process that closes any handle of a file loses all its locks on it (POSIX).
  const handle = openSync(real, 'r')
  const look = () => ({
    file: idOf(file),
    log: idOf(`${real}-wal`),
    index: idOf(`${real}-shm`),
    header: readHeader(handle),
    size: fstatSync(handle).size,
  })
  const opened = look()
  let last = opened
  let loss: LostDatabase | null = null
  let isMarked = false
  let isWritten = false

  function lossIn({ file, log, index, header, size }: typeof opened): Loss | null {
    if (file === NONE) return 'missing'
    if (file !== opened.file) return 'replaced'
    // Another program may shorten the file, and says so in the header first.
    const isCut = size < last.size && size < (header?.size ?? 0)
    if (!header || header.id !== last.header?.id || header.changes < last.header.changes || isCut) return 'overwritten'
    return log === opened.log && index === opened.index ? null : 'without its log'
  }

  function check() {
    const now = look()
    const kind = lossIn(now)
    if (loss) {
      settle(loss, kind, now)
      throw loss
    }
    if (kind) {
      loss = new LostDatabase(messageOf(kind, file))
      report([loss.message, settle(loss, kind, now)].join(' ').trim())
      throw loss
    }
    last = now
  }

  /** Does what has not succeeded so far; returns what an operator has to do for it. */
  function settle({ message }: LostDatabase, kind: Loss | null, now: typeof opened): string {
    if (kind === 'without its log' && !isWritten) isWritten = writeLog(now)
    if (isMarked) return ''
    try {
      const { id = 0, changes = 0 } = last.header ?? {}
      writeMarker(file, { message, lostAt: new Date().toISOString(), id, changes, lastIds: lastIds(sqlite) })
      isMarked = true
      return ''
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error
      return `${markerOf(file)} can't be written (${code}): make room before you stop the server; it retries every second.`
    }
  }

  /** Writes into the file what only the open log holds; returns whether that succeeded. */
  function writeLog({ log, index }: typeof opened): boolean {
    // Another log at its place belongs to another program, which may write into the file too.
    if (![opened.log, NONE].includes(log) || ![opened.index, NONE].includes(index)) return false
    try {
      const [result] = sqlite.pragma('wal_checkpoint') as [{ log: number; checkpointed: number }]
      return result.log === result.checkpointed
    } catch {
      return false
    }
  }

  return {
    check,
    isLost: () => loss !== null,
    status: () => ({ isLost: loss !== null, size: fstatSync(handle).size, free: freeSpace(dirname(real)) }),
    close: () => closeSync(handle),
  }
}

/** The last id that each table has given, as far as the open log and SQLite's cache still tell. */
function lastIds(sqlite: SqliteFile.Database): LossMarker['lastIds'] {
  try {
    const rows = sqlite.prepare<[], { name: string; seq: number }>('select name, seq from sqlite_sequence').all()
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  } catch {
    return {}
  }
}

function messageOf(loss: Loss, file: string): string {
  const log = `${file}-wal`
  const [happened, advice] = {
    missing: [
      'was deleted or moved away',
      `if it was moved, move it back, and ${log} with it if that was moved too; if it was deleted, move ${log} away and restore a backup`,
    ],
    replaced: [
      'was replaced by another file',
      `${log} belongs to the file that was there before: put that file back, or move ${log} and ${file}-shm away`,
    ],
    overwritten: [
      'was overwritten or cut off in place',
      `move ${log} and ${file}-shm away, and restore a backup unless the file is one`,
    ],
    'without its log': ['lost its -wal or -shm', `do not delete or replace them while a server runs`],
  }[loss]
  return `The database ${file} ${happened}. Calls are answered 503, and no server starts on it. Stop the server; ${advice}. Then run "leads recover".`
}

const NONE = 'none'

/** Distinguishes a file from another of the same name. */
function idOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : NONE
}

/** In bytes; NaN if the folder is gone. */
function freeSpace(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.NaN
  }
}
