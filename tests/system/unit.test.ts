import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const NAME = 'launching-soon@.service'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unit-'))
  file = join(folder, NAME)
  // Of what it names only the program has to exist.
  const unit = readFileSync(join('deploy', NAME), 'utf8')
  writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('systemd accepts the unit without a remark', () => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

test('systemd rates its exposure below 2 of 10', () => {
  const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], { encoding: 'utf8' })
  const exposure = /exposure level for \S+: (\S+)/.exec(said)?.[1]
  console.log(`exposure of the unit: ${exposure} of 10`)
  expect(Number(exposure)).toBeLessThan(2)
})
