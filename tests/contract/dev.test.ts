import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { backendAt } from '../support/visitors.ts'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

test('npm run dev serves page and mock, and ends with Ctrl-C', async () => {
  const child = spawn(process.execPath, ['node_modules/vite/bin/vite.js'], {
    // Without a PATH the types are not checked, which takes long.
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', PATH: '' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += stripVTControlCharacters(`${chunk}`)
  })
  // It starts Vite and Prism. On a busy machine that may take longer than WAIT_TIMEOUT.
  await expect.poll(() => printed, { timeout: TEST_TIMEOUT }).toMatch(/http:\/\/localhost:\d+/)
  const [page = ''] = /http:\/\/localhost:\d+/.exec(printed) ?? []
  expect(await backendAt(page).subscribe('visitor@example.com')).toBe('subscribed')
  // Ctrl-C comes twice, from the terminal and from npm.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each(['start', 'serve', 'dev'])('the program of npm run %s ends when npm ends its shell', async (name) => {
  // A program that prints a line if it lives on takes the place of the script's. The colon keeps the shell alive.
  const node = `${scripts[name]}`.split(' ').slice(0, -1).join(' ')
  const shell = spawn('sh', ['-c', `${node} -e "console.log('runs'); setTimeout(console.log, 60_000, 'lives on')"; :`])
  const output = text(shell.stdout)
  await once(shell.stdout, 'data')
  shell.kill('SIGTERM')
  expect(await output).toBe('runs\n')
})
