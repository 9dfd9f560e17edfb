import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const started = (child: ChildProcess) => {
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const startDev = (PORT: string, command = process.execPath, args = ['dev/main.ts']) =>
  started(spawn(command, args, { env: { ...process.env, NODE_ENV: 'development', PORT } }))

/** What it prints until it is ready, and its addresses. */
async function ready({ stdout }: ChildProcess) {
  let printed = ''
  for await (const line of createInterface(stdout as Readable)) {
    printed += `${line}\n`
    if (line.includes('offline')) break
  }
  const [page = '', mock = ''] = printed.match(/http:\/\/(localhost|127\.0\.0\.1):\d+\//g) ?? []
  return { printed, page, mock }
}

async function expectRefusal(port: string, said: string) {
  const child = startDev(port)
  const [told, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')])
  expect({ code, told }).toEqual({ code: 1, told: `${said}\n` })
}

test('npm run dev prints where page and mock are and what can be asked of them, and ends with Ctrl-C, however often', async () => {
  const child = startDev('0')
  const { printed, page, mock } = await ready(child)
  expect(printed).toMatch(/^ +http:\/\/localhost:\d+\/\?mock=already-subscribed +subscribe$/m)
  expect(printed).toMatch(/^ +http:\/\/localhost:\d+\/\?mock=declined +subscribe, contactUs$/m)
  for (const origin of [page, mock]) {
    const response = await fetch(`${origin}api/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'visitor@example.com' }),
    })
    expect(await response.json()).toEqual({ success: true, email_exists: false })
  }

  const { port } = new URL(page)
  await expectRefusal(port, `Port ${port} is in use: stop the program that uses it, or set PORT to another.`)

  const pressing = setInterval(() => child.kill('SIGINT'), 5)
  onTestFinished(() => clearInterval(pressing))
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('npm run dev refuses a port that is none, in one line', () =>
  expectRefusal('http', 'PORT is "http": set it to a number from 0 to 65535, or leave it out for 5173.'))

test('npm run dev ends when it is told to, by npm too, which passes the signal to a shell', async () => {
  const child = startDev('0', 'npm', ['run', 'dev'])
  const { page } = await ready(child)
  child.kill('SIGTERM')
  await once(child, 'exit')
  await expect.poll(() => fetch(page).then(Boolean, () => 'gone')).toBe('gone')
})
