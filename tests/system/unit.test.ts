import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const UNITS = readdirSync('deploy').filter((name) => /\.(service|timer)$/.test(name))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unit-'))
  // Of what they name only the programs have to exist.
  for (const name of UNITS) {
    const unit = readFileSync(join('deploy', name), 'utf8')
    writeFileSync(join(folder, name), unit.replace(/^(ExecStart(?:Post)?=\+?)\S+/gm, `$1${process.execPath}`))
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(UNITS)('systemd accepts %s without a remark', (name) => {
  // An instance, so that what stands behind the @ is filled in.
  const instance = join(folder, name.replace('@', '@30'))
  writeFileSync(instance, readFileSync(join(folder, name)))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', instance], { encoding: 'utf8' })
  rmSync(instance)
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

test('each timer starts a service that is there', () => {
  const timers = UNITS.filter((name) => name.endsWith('.timer'))
  expect(timers).toHaveLength(2)
  for (const name of timers) expect(UNITS).toContain(name.replace('.timer', '.service'))
})

test('systemd rates the exposure of the server below 2 of 10', () => {
  const file = join(folder, 'launching-soon@.service')
  const said = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], { encoding: 'utf8' })
  const exposure = /exposure level for \S+: (\S+)/.exec(said)?.[1]
  console.log(`exposure of the unit: ${exposure} of 10`)
  expect(Number(exposure)).toBeLessThan(2)
})
