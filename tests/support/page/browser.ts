import { type Browser, chromium } from 'playwright'
import { CHROMIUM_ARGS, chromiumPath } from '../../../scripts/chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'

export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS, timeout: WAIT_TIMEOUT })
  return browser.on('context', (context) => {
    context.setDefaultTimeout(WAIT_TIMEOUT)
  })
}
