import { type Browser, chromium } from 'playwright'
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/chromium.ts'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath(), args: CHROMIUM_ARGS })
