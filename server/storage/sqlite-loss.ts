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
import { StartError } from '../configuration.ts'
import { LostDatabase } from './database.ts'
import { makeFile } from './private-files.ts'

/** Pages that are saved before anything else gets its turn. */
const STEP = 1000

export type LossGuard = {
  /** Throws if the file is not the one that was opened, at once and from then on. */
  check(): void
  /** Whether the file was lost at the last check. Saves its rows if that has failed so far. */
  isLost(): Promise<boolean>
  /**
   * `tell` gets a line for the log when the file is lost, another if its rows could be saved only later, and one at once
   * if those of an earlier loss are still there.
   */
  onLoss(tell: (line: string) => void): void
}

/**
 * SQLite's own close deletes the log and its index by name, whosever they are by then: a connection that has lost its
 * file stays open until the process ends.
 */
const lostConnections = new Set<SqliteFile.Database>()

/** Keeps a connection from writing to a file that is no longer in its place, and saves what it holds beside it. */
export function guardFile(sqlite: SqliteFile.Database, file: string): LossGuard {
  // The log lies beside the file that a link leads to.
  const real = realpathSync(file)
  const opened = identify(file, real)
  let loss: LostDatabase | null = null
  let saving: Promise<void> = Promise.resolve()
  let isSaved = false
  let failure: string | null = null
  let tell = (_line: string) => {}

  function check() {
    if (loss) throw loss
    const now = identify(file, real)
    if (now.every((id, i) => id === opened[i])) return
    lostConnections.add(sqlite)
    loss = new LostDatabase('Its file was deleted, moved or replaced: the log tells where its rows are.')
    takeLogAway(now)
    saving = save()
    throw loss
  }

  /** What only the log holds gets into the file; a log that has lost its file is never replayed into another. */
  function takeLogAway([main, log, index]: Identity) {
    const [openedMain, openedLog, openedIndex] = opened
    try {
      // Beside the file that was opened, another log may be in use already.
      if (main !== openedMain || log === openedLog || log === NONE) sqlite.pragma('wal_checkpoint(TRUNCATE)')
      if (main === openedMain) return
      if (log === openedLog) renameSync(`${real}-wal`, `${real}-lost-wal`)
      if (index === openedIndex) rmSync(`${real}-shm`, { force: true })
    } catch {
      // All of it is saved in any case.
    }
  }

  async function save() {
    const what = `The database file ${file} was deleted, moved or replaced, or its log was. Calls are answered 503 until a restart.`
    try {
      const copy = await rescue(sqlite, file)
      isSaved = true
      rmSync(`${real}-lost-wal`, { force: true })
      tell(`${what} All its rows are in ${copy}: put that, or the file that you want instead, in place, and restart.`)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? `${error.code}` : 'no code'
      if (failure !== code)
        tell(
          `${what} Its rows can't be saved in ${file}-rescued (${code}): make room there before you end the server; it tries again every second.`,
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
      tell = listener
      const copy = `${file}-rescued`
      if (!existsSync(copy)) return
      tell(
        `${copy} holds the rows of a file that was lost: put it in the place of ${file} if they lack there, else delete it.`,
      )
    },
  }
}

/** Throws if a missing file has left its rows beside it: an empty one in its place would hide them. */
export function assertNoOrphans(file: string) {
  if (existsSync(file)) return
  const orphan = ['-rescued', '-rescued-part', '-lost-wal', '-wal', '-journal']
    .flatMap((suffix) => placesOf(file).map((place) => place + suffix))
    .find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
  if (!orphan) return
  throw new StartError(
    orphan.endsWith('-rescued')
      ? `There is no database ${file}, but ${orphan} has its rows: move it there, or put a backup there.`
      : `There is no database ${file}, but its ${orphan} is there: put the file or a backup back, or move that away.`,
  )
}

/** The log lies beside the file that a link leads to, also when that is gone. */
function placesOf(file: string): readonly string[] {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return [file]
  return [file, resolve(dirname(file), readlinkSync(file))]
}

const NONE = 'none'

/** Tells file, log and the log's index from others that have their names. */
type Identity = readonly [file: string, log: string, index: string]

const identify = (file: string, real: string): Identity => [idOf(file), idOf(`${real}-wal`), idOf(`${real}-shm`)]

function idOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : NONE
}

/** Copies all that the connection holds, for its owner alone, into a file that has its name only when it is on the disk. */
async function rescue(sqlite: SqliteFile.Database, file: string): Promise<string> {
  const part = `${file}-rescued-part`
  rmSync(part, { force: true })
  makeFile(part)
  await sqlite.backup(part, { progress: () => STEP })
  sync(part)
  const copy = freeName(file)
  renameSync(part, copy)
  sync(dirname(file))
  return copy
}

/** What was rescued before is never overwritten. */
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
