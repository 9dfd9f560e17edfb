import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { backendAt } from '../support/visitors.ts'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

test('npm run dev serves page and mock, and ends with Ctrl-C', async () => {
  const child = spawn(process.execPath, ['contract/mock/main.ts'], {
    env: { ...process.env, NODE_ENV: 'development', PORT: '0' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk
  })
  // It starts Vite, Prism and a linter. On a busy machine that may take longer than WAIT_TIMEOUT.
  await expect
    .poll(() => printed, { timeout: TEST_TIMEOUT })
    .toMatch(/\?mock=already-subscribed +subscribe\n.*\?mock=offline/s)
  const [page = '', mock = ''] = printed.match(/http:\/\/(localhost|127\.0\.0\.1):\d+/g) ?? []
  for (const origin of [page, mock]) expect(await backendAt(origin).subscribe('visitor@example.com')).toBe('subscribed')
  // Ctrl-C comes twice, from the terminal and from npm.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each(['start', 'serve', 'dev'])('the program of npm run %s ends when npm ends its shell', async (name) => {
  // Replaces the program with a program that prints a line if it lives on. The colon keeps the shell alive.
  const program = "console.log('runs'); setTimeout(() => console.log('lives on'), 60_000)"
  const shell = spawn('sh', ['-c', `${`${scripts[name]}`.replace(/\S+main\.ts$/, `-e "${program}"`)}; :`])
  const output = text(shell.stdout)
  await once(shell.stdout, 'data')
  shell.kill('SIGTERM')
  expect(await output).toBe('runs\n')
})
