import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../user-error.ts'
import { makeFile } from './private-files.ts'

/** What a server leaves beside a database file that it has lost, for the next start and for `leads recover`. */
export type LossMarker = {
  /** What happened, and what to do. */
  readonly message: string
  readonly lostAt: string
  /** As in the header of the lost file. */
  readonly id: number
  readonly changes: number
  /** The last id that each table had given. */
  readonly lastIds: Readonly<Record<string, number>>
}

export const markerOf = (file: string) => `${file}-lost`

/** Writes the marker durably. Throws if that fails. */
export function writeMarker(file: string, marker: LossMarker) {
  const path = markerOf(file)
  makeFile(path)
  writeFileSync(path, `${JSON.stringify(marker, null, 2)}\n`, { flush: true })
  const folder = openSync(dirname(path), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** The marker beside a file, or null if there is none. */
export function readMarker(file: string): LossMarker | null {
  const path = markerOf(file)
  if (!existsSync(path)) return null
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UserError(`${path} can't be read: it marks ${file} as lost. Restore a backup.`)
  }
}

export const removeMarker = (file: string) => rmSync(markerOf(file), { force: true })

/** Throws a UserError that says what to do if the file is marked as lost. */
export function refuseMarked(file: string) {
  const marker = readMarker(file)
  if (marker) throw new UserError(`${marker.message} (Found ${markerOf(file)}.)`)
}

/** Throws a UserError if a log stands without its file: a new, empty file would hide its rows. */
export function refuseLogWithoutFile(file: string) {
  // SQLite deletes the log of an empty file.
  if (sizeOf(file) > 0) return
  const log = ['-wal', '-journal']
    .flatMap((suffix) => pathsOf(file).map((path) => path + suffix))
    .find((path) => sizeOf(path) > 0)
  if (!log) return
  throw new UserError(
    `There is no database ${file}, but ${log}, which belongs to it, holds rows: put the file back beside it, or move the log away and run "leads restore BACKUP".`,
  )
}

/** Throws a UserError if the log was deleted after a server was killed: without its last rows the file may be damaged. */
export function refuseFileWithoutLog(file: string) {
  // The log is beside the file that a link points to.
  const real = realpathSync(file)
  if (!existsSync(`${real}-shm`) || existsSync(`${real}-wal`)) return
  throw new UserError(
    `${real}-wal was deleted while ${file} was in use: put it back, or run "leads recover", which checks the file without it.`,
  )
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The log is beside the file that a link points to, even if that is missing. */
function pathsOf(file: string): readonly string[] {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return [file]
  return [file, resolve(dirname(file), readlinkSync(file))]
}
