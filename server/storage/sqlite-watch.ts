import { randomInt } from 'node:crypto'
import { closeSync, fstatSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type SqliteFile from 'better-sqlite3'
import { type FileStatus, LostDatabase, UnusableDatabase } from './database.ts'
import { readHeader, remedyFor } from './sqlite-file.ts'

export type FileWatch = {
  /** Throws a LostDatabase if the file is no longer the one that was opened, from then on always. */
  check(): void
  status(): FileStatus
  /** Call it after SQLite has closed the file. */
  close(): void
}

/** The inode of a file that is not there. */
const NONE = 'none'

const LOG_DELETED = 'lost its -wal or -shm'

/**
 * Marks a file, whose log exists, as in use, and notices when it is deleted, moved, replaced or overwritten, or loses its
 * log or the log's index. That is reported once; nothing is copied, renamed or deleted.
 */
export function watchFile(sqlite: SqliteFile.Database, file: string, report: (line: string) => void): FileWatch {
  // The log is beside the file that a link points to.
  const real = realpathSync(file)
  // Not closed before SQLite's: a process that closes any handle of a file loses all its locks on it (POSIX).
  const handle = openSync(real, 'r')
  const look = () => ({
    logs: [inodeOf(`${real}-wal`), inodeOf(`${real}-shm`)],
    // After the logs: of a folder that is moved meanwhile, the logs alone would seem to be gone.
    inode: inodeOf(file),
    header: readHeader(handle),
    size: fstatSync(handle).size,
  })
  markInUse(sqlite, look().header?.mark ?? 0)
  const opened = look()
  // A command that was the last to close the file at this moment has taken its log away.
  if (!opened.header?.usesLog) throw new UnusableDatabase('Another program has just closed the file: start again.')
  let last = opened
  let loss: LostDatabase | null = null

  function describeLoss({ inode, logs, header, size }: typeof opened): string | null {
    if (inode === NONE) return 'was deleted or moved away'
    if (inode !== opened.inode) return 'was replaced by another file'
    // Another program may shorten the file, and says so in the header first.
    const isCut = size < last.size && size < (header?.size ?? 0)
    if (!header?.usesLog || header.mark !== opened.header?.mark || isCut) {
      return 'was overwritten or cut off in place'
    }
    if (logs.join() === opened.logs.join()) return null
    return logs.every((log, i) => log === NONE || log === opened.logs[i]) ? LOG_DELETED : 'got another -wal or -shm'
  }

  function check() {
    const now = look()
    const what = describeLoss(now)
    if (loss === null && what === null) {
      last = now
      return
    }
    // What only the open log holds is written into the file, once no reader is in the way, unless another program has made
    // a log of its own.
    if (what === LOG_DELETED) attempt(() => sqlite.pragma('wal_checkpoint'))
    if (loss === null) {
      loss = new LostDatabase(
        `The database ${file} ${what}. Calls are answered 503 until the server is stopped. Stop it first. ${remedyFor(file)}`,
      )
      report(loss.message)
    }
    throw loss
  }

  return {
    check,
    status() {
      let free = Number.NaN
      attempt(() => {
        const { bavail, bsize } = statfsSync(dirname(real))
        free = bavail * bsize
      })
      return { isLost: loss !== null, size: fstatSync(handle).size, free }
    },
    close: () => closeSync(handle),
  }
}

/**
 * The file of a server that was killed keeps its mark. It is negative, because earlier releases gave every file a positive
 * number for good.
 */
function markInUse(sqlite: SqliteFile.Database, found: number) {
  if (found < 0) return
  sqlite.pragma(`application_id = ${-randomInt(1, 2 ** 31)}`)
  const busy = sqlite.pragma('wal_checkpoint(full)', { simple: true })
  if (busy !== 0) throw new UnusableDatabase('Another program reads the file: wait until it ends.')
}

function attempt(work: () => unknown) {
  try {
    work()
  } catch {}
}

function inodeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : NONE
}
