import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** One folder after the other: where a file system takes none, Node's `recursive` may try for ever. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Makes a file and its folder, if they are not there, for our eyes only; SQLite gives the files beside it the same mode. */
export function makeFile(file: string) {
  makeFolder(dirname(file))
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}
