import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const SOURCES = ['src', 'build', 'server', 'public', 'index.html', 'vite.config.ts', 'package.json', 'tsconfig.json']

/** What is done to a file: its new text, or parts of it and what takes their place. */
export type Edit = string | readonly (readonly [part: string, replacement: string])[]

/** The page as it is built and type-checked from a copy of the sources with these edits. */
export function buildVariant(edits: Record<string, Edit>) {
  const folder = mkdtempSync(join(tmpdir(), 'variant-'))
  for (const source of SOURCES) cpSync(source, join(folder, source), { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  for (const [file, edit] of Object.entries(edits)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof edit === 'string' ? edit : edit.reduce(replaceOnce, readFileSync(path, 'utf8')))
  }
  const remove = () => rmSync(folder, { recursive: true })
  const run = (...args: string[]) => {
    const { NODE_ENV: _ofTheTests, ...env } = process.env
    const { status, stdout, stderr } = spawnSync('node', args, { cwd: folder, env, encoding: 'utf8' })
    if (status === 0) return
    remove()
    throw new Error(stdout + stderr)
  }
  run('node_modules/typescript-7/bin/tsc', '-p', 'src')
  run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn')
  return { dist: join(folder, 'dist'), remove }
}

function replaceOnce(text: string, [part, replacement]: readonly [string, string]): string {
  const pieces = text.split(part)
  if (pieces.length !== 2) throw new Error(`'${part}' must be there once, not ${pieces.length - 1} times.`)
  return pieces.join(replacement)
}
