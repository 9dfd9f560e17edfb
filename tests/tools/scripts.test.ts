import { execSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'

test('npm run check fails, and names the checks that failed', () => {
  // Without a PATH, no program is found.
  const options = { env: {}, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(process.execPath, ['tools/scripts/lint.ts', 'knip'], options)
  expect([status, stderr]).toEqual([1, expect.stringContaining('These checks failed:\n  knip\n')])
})

test('npm run check prints no colours into a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'check-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'biome'), '#!/bin/sh\necho "biome $*"\nexit 1\n', { mode: 0o755 })
  const options = { env: { PATH: folder }, encoding: 'utf8' } as const
  const { stdout } = spawnSync(process.execPath, ['tools/scripts/lint.ts', 'biome'], options)
  expect(stdout).toMatch(/^biome ci .*--colors=off$/m)
})

test('npm run check says that all checks passed', () => {
  const options = { env: {}, encoding: 'utf8' } as const
  const { stdout } = spawnSync(process.execPath, ['tools/scripts/lint.ts', 'no check has this name'], options)
  expect(stdout).toContain('All checks passed.')
})

test('npm start builds the page before it serves it', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'start-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const fakePackage = { scripts: { ...scripts, build: 'echo built', start: 'echo served' } }
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(fakePackage))
  expect(execSync('npm start --silent', { cwd, encoding: 'utf8' })).toBe('built\nserved\n')
})

test('npm ci installs what builds the page, also with NODE_ENV=production', () => {
  const env = { ...process.env, NODE_ENV: 'production' }
  expect(spawnSync('npm', ['ls', 'vite', '--depth=0'], { env, encoding: 'utf8' }).stdout).toContain('vite@')
})

test('a photo that a phone took upright is refused if it has too few pixels', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'photo-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  const background = { width: 2879, height: 2560, channels: 3, background: 'blue' } as const
  // A phone stores an upright photograph as a wide one that has to be turned.
  await sharp({ create: background }).withMetadata({ orientation: 6 }).toFile(join(cwd, 'low.jpg'))
  const command = [resolve('tools/scripts/images.ts'), 'low.jpg']
  const { status, stderr } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, 'Error: low.jpg has 2560 x 2879 pixels: give 2560 x 2880 or more.\n'])
})
