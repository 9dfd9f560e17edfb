import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

function startDev(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['dev/main.ts'], { env: { ...process.env, NODE_ENV: 'development', ...env } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function read(output: NodeJS.ReadableStream, until = /^$^/): Promise<string> {
  let text = ''
  for await (const line of createInterface(output)) {
    text += `${line}\n`
    if (until.test(line)) break
  }
  return text
}

test('npm run dev prints where page and mock are and what can be asked of them, and ends with Ctrl-C, however often', async () => {
  const child = startDev({ PORT: '0' })
  const printed = await read(child.stdout, /offline/)
  const [page = ''] = printed.match(/http:\/\/localhost:\d+\//) ?? []
  const [mock = ''] = printed.match(/http:\/\/127\.0\.0\.1:\d+\//) ?? []
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

  const pressing = setInterval(() => child.kill('SIGINT'), 5)
  onTestFinished(() => clearInterval(pressing))
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('npm run dev refuses a port that is none, in one line', async () => {
  const child = startDev({ PORT: 'http' })
  const [told, [code]] = await Promise.all([read(child.stderr), once(child, 'exit')])
  expect(told).toBe('PORT is "http": set it to a number from 0 to 65535, or leave it out for 5173.\n')
  expect(code).toBe(1)
})

test('npm run dev ends when it is told to, by npm too, which passes the signal to a shell', async () => {
  const child = spawn('npm', ['run', 'dev'], { env: { ...process.env, NODE_ENV: 'development', PORT: '0' } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [page = ''] = (await read(child.stdout, /offline/)).match(/http:\/\/localhost:\d+\//) ?? []
  expect((await fetch(page)).status).toBe(200)

  child.kill('SIGTERM')
  await once(child, 'exit')
  await expect.poll(() => fetch(page).then(Boolean, () => 'gone')).toBe('gone')
})

test('npm run dev refuses a port that is in use, in one line', async () => {
  const other = createServer()
  onTestFinished(() => {
    other.close()
  })
  await once(other.listen(0, 'localhost'), 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : address
  const child = startDev({ PORT: `${port}` })
  const [told, [code]] = await Promise.all([read(child.stderr), once(child, 'exit')])
  expect(told).toBe(`Port ${port} is in use: stop the program that uses it, or set PORT to another.\n`)
  expect(code).toBe(1)
})
