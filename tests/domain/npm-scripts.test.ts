import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CHECKOUT = join(import.meta.dirname, '../..')
const SCRIPTS: Record<string, string> = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')).scripts

/** Whether it is npm or a program of a package, with plain words after it, which every shell reads alike. */
function isPortable(command: string) {
  const [program = '', ...words] = command.split(' ')
  const isProgram = /^[\w-]+$/.test(program) && existsSync(join(CHECKOUT, 'node_modules/.bin', program))
  return (program === 'npm' || isProgram) && words.every((word) => /^[\w./=:@!-]+$/.test(word))
}

test.each(Object.entries(SCRIPTS))('npm run %s is one that every shell can run', (_name, script) => {
  expect(script.split(' && ').filter((command) => !isPortable(command))).toEqual([])
})
