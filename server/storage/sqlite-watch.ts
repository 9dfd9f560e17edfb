import { closeSync, existsSync, fstatSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type SqliteFile from 'better-sqlite3'
import { type FileStatus, LostDatabase } from './database.ts'
import { markerOf, writeMarker } from './loss-marker.ts'
import { readHeader } from './sqlite-header.ts'

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
 * Notices that a file in use was deleted, moved, replaced or overwritten, or lost its write-ahead log or the log's index.
 * Then it leaves a marker, and reports it once. It copies, renames and deletes nothing.
 */
export function watchFile(sqlite: SqliteFile.Database, file: string, report: (line: string) => void): FileWatch {
  // The log is beside the file that a link points to.
  const real = realpathSync(file)
  // Not closed before SQLite's: a process that closes any handle of a file loses all its locks on it (POSIX).
  const handle = openSync(real, 'r')
  const look = () => ({
    inode: inodeOf(file),
    logs: [inodeOf(`${real}-wal`), inodeOf(`${real}-shm`)],
    header: readHeader(handle),
    size: fstatSync(handle).size,
  })
  const opened = look()
  let last = opened
  let loss: LostDatabase | null = null

  function describeLoss({ inode, logs, header, size }: typeof opened): string | null {
    if (inode === NONE) return 'was deleted or moved away'
    if (inode !== opened.inode) return 'was replaced by another file'
    // Another program may shorten the file, and says so in the header first.
    const isCut = size < last.size && size < (header?.size ?? 0)
    if (!header || header.id !== last.header?.id || header.changes < last.header.changes || isCut) {
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
    // What only the open log holds is written into the file, unless another program has made a log of its own.
    if (what === LOG_DELETED) attempt(() => sqlite.pragma('wal_checkpoint'))
    const isNew = loss === null
    loss ??= new LostDatabase(
      `The database ${file} ${what}. Calls are answered 503, and no server starts on it. Stop the server, put back what was there, with its -wal, or restore a backup, and run "leads recover".`,
    )
    const failure = existsSync(markerOf(file)) ? null : attempt(mark)
    const advice = ` The marker ${markerOf(file)} can't be written (${failure}): make room before you stop the server.`
    if (isNew) report(loss.message + (failure === null ? '' : advice))
    throw loss
  }

  function mark() {
    const { id = 0, changes = 0 } = last.header ?? {}
    const ids = sqlite.prepare<[], { name: string; seq: number }>('select name, seq from sqlite_sequence').all()
    const lastIds = Object.fromEntries(ids.map(({ name, seq }) => [name, seq]))
    writeMarker(file, { message: loss?.message ?? '', id, changes, lastIds })
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

/** Returns why something failed, or null. */
function attempt(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

function inodeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : NONE
}
