import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const UNITS = readdirSync('deploy').filter((name) => /\.(service|timer)$/.test(name))

const folder = mkdtempSync(join(tmpdir(), 'unit-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const name of UNITS) {
  // Of what they name only the programs have to exist.
  const unit = readFileSync(join('deploy', name), 'utf8')
  const runnable = unit.replace(/^(Exec\w+=\+?)\S+/gm, `$1${process.execPath}`)
  // And an instance, so that what stands behind the @ is filled in.
  for (const each of [name, name.replace('@', '@30')]) writeFileSync(join(folder, each), runnable)
}

test.each(UNITS)('systemd accepts %s without a remark', (name) => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, name.replace('@', '@30'))])
  expect([status, `${stdout}${stderr}`]).toEqual([0, ''])
})

test('each timer starts a service that is there', () => {
  const timers = UNITS.filter((name) => name.endsWith('.timer'))
  expect(UNITS).toEqual(expect.arrayContaining(timers.map((name) => name.replace('.timer', '.service'))))
})

test.each(UNITS.filter((name) => name.endsWith('.timer')))(
  '%s is refused when it is enabled under a wrong name',
  (name) => {
    const [, check] =
      /^After=(launching-soon-check@.+)%i\.service$/m.exec(readFileSync(join('deploy', name), 'utf8')) ?? []
    expect(readFileSync(join('deploy', name), 'utf8')).toContain(`\nRequires=${check}%i.service\n`)
    const [, script = ''] = /-c '(.+)' %i$/m.exec(readFileSync('deploy/launching-soon-check@.service', 'utf8')) ?? []
    const prefix = check?.replace('launching-soon-check@', '')
    const isAccepted = (instance: string) =>
      spawnSync('sh', ['-c', script.replaceAll('$$', '$'), `${prefix}${instance}`]).status === 0
    const names = ['30d', '30', '365', 'all-365d', 'enquiries-90d', 'subscribers-365', 'leads-30d', 'all-0d', '']
    expect(names.filter(isAccepted)).toEqual(prefix === 'backup-' ? ['30d'] : ['all-365d', 'enquiries-90d'])
  },
)

test('systemd rates the exposure of the server below 2 of 10', () => {
  const args = ['security', '--offline=true', '--no-pager', join(folder, 'launching-soon@.service')]
  const exposure = /exposure level for \S+: (\S+)/.exec(execFileSync('systemd-analyze', args, { encoding: 'utf8' }))
  expect(Number(exposure?.[1])).toBeLessThan(2)
})
