import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
const [small, text] = [join(folder, 'small.jpg'), join(folder, 'text.jpg')]
await sharp({ create: { width: 800, height: 600, channels: 3, background: '#123' } }).toFile(small)
writeFileSync(text, 'not an image')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  [[small], /^.*small\.jpg has 800 x 600 pixels, which is too small: give 2560 x 2880 or more\.\n$/],
  [[text], /^.*text\.jpg can't be read as an image: give a JPEG, PNG, WebP, AVIF or TIFF\.\n$/],
  [[small, '--focus', '140'], /^Usage: npm run images.*\n$/],
  [['--focus', '20'], /^Usage: npm run images.*\n$/],
])('npm run images refuses %j in one line', (args, line) => {
  const ended = spawnSync(process.execPath, ['tools/scripts/images.ts', ...args], { encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(line) })
})
