import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
const [small, text] = [join(folder, 'small.jpg'), join(folder, 'text.jpg')]
beforeAll(async () => {
  await sharp({ create: { width: 800, height: 600, channels: 3, background: '#123' } }).toFile(small)
  writeFileSync(text, 'not a picture')
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['pictures', [small], /small\.jpg has 800 x 600 pixels, which is too small: give 2560 x 2880 or more\.\n$/],
  ['pictures', [text], /text\.jpg is not a picture that can be read: give a JPEG, PNG, WebP, AVIF or TIFF\.\n$/],
  ['pictures', [small, '--focus', '140'], /^Usage: npm run pictures/],
  ['gallery', ['--only', 'nothing'], /^No state has "nothing" in its name\. There are: at rest; .*\.\n$/],
  ['gallery', ['--width', '3'], /^No size is 3 wide\. There are: 320, .*\.\n$/],
  ['gallery', ['--onyl', 'dialog'], /^Usage: npm run gallery/],
])('npm run %s refuses %j in one line', (script, args, line) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', `${script}.ts`), ...args], {
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(line)
  expect(stderr.split('\n')).toHaveLength(2)
})
