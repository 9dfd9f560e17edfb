import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
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
  /** As in the header of the lost file. */
  readonly id: number
  readonly changes: number
  /** The last id that each table had given. */
  readonly lastIds: Readonly<Record<string, number>>
}

export const markerOf = (file: string) => `${file}-lost`

/** Writes the marker durably. Throws if that fails. */
export function writeMarker(file: string, marker: LossMarker) {
  makeFile(markerOf(file))
  try {
    writeFileSync(markerOf(file), `${JSON.stringify(marker, null, 2)}\n`, { flush: true })
  } catch (error) {
    // Half a marker would be taken for a whole one.
    removeMarker(file)
    throw error
  }
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** The marker beside a file, or null if there is none. */
export const readMarker = (file: string): LossMarker | null =>
  existsSync(markerOf(file)) ? JSON.parse(readFileSync(markerOf(file), 'utf8')) : null

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
  const log = ['-wal', '-journal'].map((suffix) => targetOf(file) + suffix).find((path) => sizeOf(path) > 0)
  if (!log) return
  throw new UserError(
    `There is no database ${file}, but ${log}, which belongs to it, holds rows: put the file back beside it, or move the log away and run "leads restore BACKUP".`,
  )
}

/** Throws a UserError if the log was deleted after a server was killed: without its last rows the file may be damaged. */
export function refuseFileWithoutLog(file: string) {
  const real = targetOf(file)
  if (!existsSync(`${real}-shm`) || existsSync(`${real}-wal`)) return
  throw new UserError(
    `${real}-wal was deleted while ${file} was in use: put it back, or run "leads recover", which checks the file without it.`,
  )
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The log is beside the file that a link points to, even if that is missing. */
const targetOf = (file: string) =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? resolve(dirname(file), readlinkSync(file)) : file
