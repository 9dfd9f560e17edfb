import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** One folder at a time: Node's `recursive` may loop forever on a file system that refuses folders. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** Creates a missing file and its folders, for the owner alone; SQLite gives its other files the same mode. */
export function makeFile(file: string) {
  makeFolder(dirname(file))
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}
