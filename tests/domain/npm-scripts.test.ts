import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CHECKOUT = join(import.meta.dirname, '../..')
const SCRIPTS: Record<string, string> = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')).scripts

const isProgram = (name: string) =>
  name === 'npm' || (/^[\w-]+$/.test(name) && existsSync(join(CHECKOUT, 'node_modules/.bin', name)))

/** Parts that are not a program of npm's own or of a package with plain words after it, which every shell reads alike. */
const unportable = (script: string) =>
  script.split(' && ').filter((command) => {
    const [program = '', ...words] = command.split(' ')
    return !isProgram(program) || words.some((word) => !/^[\w./=:@!-]+$/.test(word))
  })

test.each(Object.entries(SCRIPTS))('npm run %s is one that every shell can run', (_name, script) => {
  expect(unportable(script)).toEqual([])
})
