import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { replaceOnce } from '../../../build/html.ts'

const SOURCES = ['src', 'build', 'server', 'public', 'index.html', 'vite.config.ts', 'package.json', 'tsconfig.json']

/** What is done to a file: its new text, or parts of it and what takes their place. */
type Edit = string | readonly (readonly [part: string, replacement: string])[]

/** The page as it is built and then type-checked from a copy of the sources with these edits. */
export function buildVariant(edits: Record<string, Edit>) {
  const folder = mkdtempSync(join(tmpdir(), 'variant-'))
  const remove = () => rmSync(folder, { recursive: true })
  for (const source of SOURCES) cpSync(source, join(folder, source), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(folder, file)
    const replace = (text: string, pair: readonly [string, string]) => replaceOnce(file, text, ...pair)
    writeFileSync(path, typeof edit === 'string' ? edit : edit.reduce(replace, readFileSync(path, 'utf8')))
  }
  const { NODE_ENV: _ofTheTests, ...env } = process.env
  for (const args of ['vite/bin/vite.js build --logLevel warn', 'typescript-7/bin/tsc -p src']) {
    const { status, stdout, stderr } = spawnSync('node', `node_modules/${args}`.split(' '), { cwd: folder, env })
    if (status === 0) continue
    remove()
    throw new Error(`${stdout}${stderr}`)
  }
  return { dist: join(folder, 'dist'), remove }
}
