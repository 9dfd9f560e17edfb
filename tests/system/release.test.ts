import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { commandsOfReadme } from '../support/server/machine.ts'
import { query } from '../support/server/postgres.ts'
import { makeRelease, unpackedRelease } from '../support/server/release.ts'
import { makeServerFolder } from '../support/server/server-folder.ts'

let release: string
// npm takes its time on a busy machine.
beforeAll(() => {
  release = unpackedRelease()
}, 1_200_000)

const path = (file: string) => join(inject('opt'), release, file)
const contentOf = (file: string) => readFileSync(path(file), 'utf8')

/** A program of the release, without any variable but these. */
const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv) =>
  spawnSync(path(program), args, { cwd: path('.'), env: { PATH: '/usr/bin:/bin', ...env }, encoding: 'utf8' })

test('a release needs an origin', () => {
  expect(makeRelease({})).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/PUBLIC_ORIGIN.*\n$/) })
})

test('its version names its commit', () => {
  const commit = release.replace('launching-soon-', '')
  expect(run('bin/leads', ['--version'], {}).stdout).toBe(`1.0.0+${commit}\n`)
})

test('its page is that of the commit', () => {
  expect(contentOf('dist/index.html')).not.toContain('of another commit')
})

test('it has nothing that only the page or a developer needs', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const unneeded = Object.keys(packages).filter((path) => packages[path].dev)
  expect(unneeded).toContain('node_modules/react')
  expect(unneeded.filter((file) => existsSync(path(file)))).toEqual([])
})

test('its Node has its licence with it', () => {
  expect(contentOf('bin/node-licence.txt')).toMatch(/^Node\.js is licensed/)
})

test('the roles of the document are enough for the server and for readers', async () => {
  const url = (own: object) =>
    Object.assign(new URL(inject('postgresUrl')), { pathname: '/launching_soon', ...own }).href
  const statements = commandsOfReadme('create role launching_soon', 6)
    .split('\n')
    .map((line) => line.trim())
  for (const [at, line] of statements.entries())
    if (!line.startsWith('\\')) await query(at < 3 ? inject('postgresUrl') : url({}), line)
  const DATABASE_URL = url({ username: 'launching_soon', password: 'PASSWORD' })
  const sandbox = makeServerFolder()
  onTestFinished(sandbox.remove)
  await sandbox.start({ DATABASE_URL })
  const reader = { DATABASE_URL: url({ username: 'leads_reader', password: 'OTHER' }) }
  expect(run('bin/leads', ['list', 'subscribers'], reader)).toMatchObject({ status: 0 })
  expect(run('bin/leads', ['erase', 's1', '--yes'], reader).stderr).toContain('may only read')
})
