import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { TEXT } from '../../src/domain/texts.ts'
import { subscriptionOf } from '../support/enquiries.ts'
import { post } from '../support/server/load.ts'
import { TEST_TIMEOUT } from '../support/timeouts.ts'
import { until } from '../support/until.ts'

test('npm run dev serves the page and the mock until npm ends its shell', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  // Without tsc on the PATH the types are not checked, which takes long.
  const PATH = dirname(process.execPath)
  const env = { ...process.env, NODE_ENV: 'development', NO_COLOR: '1', PORT: '0', PATH }
  // The colon keeps the shell alive.
  const shell = spawn('/bin/sh', ['-c', `${scripts.dev}; :`], { env })
  onTestFinished(() => void shell.kill())
  const ended = once(shell.stdout, 'end')
  let output = ''
  shell.stdout.on('data', (chunk) => {
    output += chunk
  })
  const page = await until(() => /http:\/\/localhost:\d+/.exec(output)?.[0], TEST_TIMEOUT)
  expect(await (await fetch(`${page}`)).text()).toContain(TEXT.heading)
  expect(await post(`${page}/api/subscribe`, subscriptionOf())).toBe(200)
  shell.kill()
  await ended
})
