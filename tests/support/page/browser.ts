import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright'
import { CHROMIUM_ARGS, installedChromium } from '../chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'

export async function openBrowser(): Promise<Browser> {
  const [args, executablePath] = [[...CHROMIUM_ARGS, '--renderer-process-limit=1'], installedChromium()]
  if (!existsSync(executablePath ?? chromium.executablePath()))
    throw new Error('There is no Chromium. To install one, run: npm run pretest')
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), args, timeout: WAIT_TIMEOUT })
  return browser.on('context', (context) => {
    context.setDefaultTimeout(WAIT_TIMEOUT)
  })
}

let shared: Promise<Browser> | undefined

/** The browser of all test files that a worker runs. It ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}
