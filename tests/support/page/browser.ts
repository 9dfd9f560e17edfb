import { type Browser, chromium } from 'playwright'
import { CHROMIUM_ARGS, chromiumPath } from '../../../tools/scripts/chromium.ts'
import { WAIT_TIMEOUT } from '../timeouts.ts'

export async function openBrowser(extraArgs: string[] = []): Promise<Browser> {
  const args = [...CHROMIUM_ARGS, ...extraArgs]
  const browser = await chromium.launch({ executablePath: chromiumPath(), args, timeout: WAIT_TIMEOUT })
  return browser.on('context', (context) => {
    context.setDefaultTimeout(WAIT_TIMEOUT)
  })
}
