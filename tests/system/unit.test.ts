import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const unit = (name: string) => readFileSync(join('deploy', name), 'utf8')

test('systemd has no remark about any line of the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const units = readdirSync('deploy').filter((name) => /\.(service|timer)$/.test(name))
  const instances = units.map((name) => join(folder, name.replace('@', '@30')))
  for (const [at, name] of units.entries()) {
    // Of what they name only the programs have to exist.
    const runnable = unit(name).replace(/^(Exec\w+=\+?)\S+/gm, `$1${process.execPath}`)
    for (const file of [join(folder, name), instances[at] ?? '']) writeFileSync(file, runnable)
  }
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...instances])
  expect([status, `${stdout}${stderr}`]).toEqual([0, ''])
})

test('a nightly task whose name is wrong is refused when its timer is enabled', () => {
  for (const task of ['backup', 'purge'])
    expect(unit(`launching-soon-${task}@.timer`)).toContain(`\nRequires=launching-soon-check@${task}-%i.service\n`)
  const [, script = ''] = /-c '(.+)' %i$/m.exec(unit('launching-soon-check@.service')) ?? []
  const isAccepted = (name: string) => spawnSync('sh', ['-c', script.replaceAll('$$', '$'), name]).status === 0
  const right = ['backup-30d', 'purge-all-365d', 'purge-enquiries-90d', 'purge-subscribers-730d']
  const wrong = ['backup-30', 'backup-all-30d', 'backup-0d', 'backup-', 'purge-30d', 'purge-leads-30d', 'purge-all-365']
  expect([...right, ...wrong].filter(isAccepted)).toEqual(right)
})

test('a server is started again however it ends, and a stop leaves it the 9 s that it may take', () => {
  const server = unit('launching-soon@.service')
  expect(server).toMatch(/^Restart=always$/m)
  expect(server).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(server)?.[1])).toBeGreaterThan(9)
})
