import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { backendAt } from '../support/visitors.ts'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'))

function startDev(PORT: string) {
  const child = spawn(process.execPath, ['contract/mock/main.ts'], {
    env: { ...process.env, NODE_ENV: 'development', PORT },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** What it prints until it is ready, and its addresses. */
async function ready({ stdout }: ChildProcessWithoutNullStreams) {
  const chunks: Buffer[] = []
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  // It brings Vite, Prism and a linter, which may take a busy machine longer than one fact does.
  await expect.poll(() => `${Buffer.concat(chunks)}`, { timeout: TEST_TIMEOUT }).toMatch(/offline.*\n/)
  const printed = `${Buffer.concat(chunks)}`
  const [page = '', mock = ''] = printed.match(/http:\/\/(localhost|127\.0\.0\.1):\d+\//g) ?? []
  return { printed, page, mock, port: new URL(page).port }
}

test('npm run dev serves page and mock, and ends with Ctrl-C', async () => {
  const child = startDev('0')
  const { printed, page, mock, port } = await ready(child)
  for (const line of ['already-subscribed +subscribe', 'declined +subscribe, contactUs'])
    expect(printed).toMatch(RegExp(`^ +http://localhost:${port}/\\?mock=${line}$`, 'm'))
  for (const { origin } of [new URL(page), new URL(mock)])
    expect(await backendAt(origin).subscribe('visitor@example.com')).toBe('subscribed')
  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text()
  expect(html, 'the page has the policy of the build').toContain('require-trusted-types-for &#39;script&#39;')
  for (const [value, said] of [
    [port, `Port ${port} is in use: stop the program that uses it, or set PORT to another.\n`],
    ['http', 'PORT is "http": set it to a number from 0 to 65535, or leave it out for 5173.\n'],
  ] as const) {
    const other = startDev(value)
    expect(await Promise.all([text(other.stderr), once(other, 'exit')])).toEqual([said, [1, null]])
  }
  // Ctrl-C comes twice, from the terminal and from npm.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal)
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each(['start', 'serve', 'dev'])('npm run %s ends when npm ends the shell between them', async (name) => {
  // In place of the program, one that says so if it lives on; the colon keeps the shell.
  const program = "console.log('runs'); setTimeout(() => console.log('lives on'), 60_000)"
  const shell = spawn('sh', ['-c', `${`${scripts[name]}`.replace(/\S+main\.ts$/, `-e "${program}"`)}; :`])
  const said = text(shell.stdout)
  await once(shell.stdout, 'data')
  shell.kill('SIGTERM')
  expect(await said).toBe('runs\n')
})
