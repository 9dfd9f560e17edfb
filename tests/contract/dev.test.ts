import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

test.each(['start', 'serve', 'dev'])('the program of npm run %s ends when npm ends its shell', async (name) => {
  // A program that prints a line if it lives on takes the place of the script's. The colon keeps the shell alive.
  const node = `${scripts[name]}`.split(' ').slice(0, -1).join(' ')
  const shell = spawn('sh', ['-c', `${node} -e "console.log('runs'); setTimeout(console.log, 60_000, 'lives on')"; :`])
  const output = text(shell.stdout)
  await once(shell.stdout, 'data')
  shell.kill('SIGTERM')
  expect(await output).toBe('runs\n')
})
