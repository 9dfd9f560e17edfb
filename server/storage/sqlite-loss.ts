import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type SqliteFile from 'better-sqlite3'
import { UserError } from '../user-error.ts'
import { LostDatabase } from './database.ts'
import { makeFile } from './private-files.ts'

/** Pages copied at a time: the event loop runs between. */
const PAGES_PER_STEP = 1000

export type FileWatch = {
  /** Throws if the file is no longer the one that was opened, from then on always. */
  check(): void
  /** Whether the last check found the file lost. Retries to save its rows if that has failed so far. */
  isLost(): Promise<boolean>
  /** As in ServedDatabase. */
  onLoss(report: (line: string) => void): void
}

/**
 * Closing would delete the log and its index by name, even if they belong to another file by now: a connection that has
 * lost its file stays open until the process ends.
 */
const lostConnections = new Set<SqliteFile.Database>()

/** Stops writes to a file that was deleted, moved or replaced, and saves its rows in a new file beside it. */
export function watchFile(sqlite: SqliteFile.Database, file: string): FileWatch {
  // The log is beside the file that a link points to.
  const real = realpathSync(file)
  const opened = identify(file, real)
  let loss: LostDatabase | null = null
  let saving: Promise<void> = Promise.resolve()
  let isSaved = false
  let failure: string | null = null
  let report = (_line: string) => {}

  function check() {
    if (loss) throw loss
    const now = identify(file, real)
    if (now.every((id, i) => id === opened[i])) return
    lostConnections.add(sqlite)
    loss = new LostDatabase('Its file was deleted, moved or replaced: the log says where its rows are.')
    takeLogAway(now)
    saving = save()
    throw loss
  }

  /** Moves what only the log holds into the file, and makes sure that the log is never replayed into another file. */
  function takeLogAway([main, log, index]: Identity) {
    const [openedMain, openedLog, openedIndex] = opened
    try {
      // Another process may use a new log beside the opened file already.
      if (main !== openedMain || log === openedLog || log === NONE) sqlite.pragma('wal_checkpoint(TRUNCATE)')
      if (main === openedMain) return
      if (log === openedLog) renameSync(`${real}-wal`, `${real}-lost-wal`)
      if (index === openedIndex) rmSync(`${real}-shm`, { force: true })
    } catch {
      // The copy holds all rows in any case.
    }
  }

  async function save() {
    const what = `The database file ${file} or its write-ahead log was deleted, moved or replaced. Calls are answered 503 until a restart.`
    try {
      const copy = await rescue(sqlite, file)
      isSaved = true
      rmSync(`${real}-lost-wal`, { force: true })
      report(`${what} All rows are in ${copy}: move it, or the file that you want instead, to ${file}, and restart.`)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? `${error.code}` : 'no code'
      if (failure !== code)
        report(
          `${what} Its rows can't be saved in ${file}-rescued (${code}): make room before you stop the server; it retries every second.`,
        )
      failure = code
    }
  }

  return {
    check,
    async isLost() {
      if (!loss) return false
      await saving
      if (!isSaved) {
        saving = save()
        await saving
      }
      return true
    },
    onLoss(listener) {
      report = listener
      const copy = `${file}-rescued`
      if (!existsSync(copy)) return
      report(
        `${copy} holds the rows of a lost database file: move it to ${file} if they are missing there, else delete it.`,
      )
    },
  }
}

/** Throws if files beside a missing one hold its rows: a new, empty file would hide them. */
export function assertNoOrphans(file: string) {
  if (existsSync(file)) return
  const orphan = ['-rescued', '-rescued-part', '-lost-wal', '-wal', '-journal']
    .flatMap((suffix) => placesOf(file).map((place) => place + suffix))
    .find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
  if (!orphan) return
  throw new UserError(
    orphan.endsWith('-rescued')
      ? `There is no database ${file}, but ${orphan} holds its rows: move it to ${file}, or restore a backup there.`
      : `Found ${orphan} without its database ${file}: restore the file or a backup, or move ${orphan} away.`,
  )
}

/** The log is beside the file that a link points to, even if that is missing. */
function placesOf(file: string): readonly string[] {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return [file]
  return [file, resolve(dirname(file), readlinkSync(file))]
}

const NONE = 'none'

/** Distinguishes the file, its log and the log's index from others of the same name. */
type Identity = readonly [file: string, log: string, index: string]

const identify = (file: string, real: string): Identity => [idOf(file), idOf(`${real}-wal`), idOf(`${real}-shm`)]

function idOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : NONE
}

/** Copies all rows into a file that only its owner can read; it gets its name once it is on the disk. */
async function rescue(sqlite: SqliteFile.Database, file: string): Promise<string> {
  const part = `${file}-rescued-part`
  rmSync(part, { force: true })
  makeFile(part)
  await sqlite.backup(part, { progress: () => PAGES_PER_STEP })
  sync(part)
  const copy = freeName(file)
  renameSync(part, copy)
  sync(dirname(file))
  return copy
}

/** An earlier copy is never overwritten. */
function freeName(file: string): string {
  for (let i = 1; ; i++) {
    const name = `${file}-rescued${i > 1 ? `-${i}` : ''}`
    if (!existsSync(name)) return name
  }
}

function sync(path: string) {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
