// Before any check or test, so that the wait for a browser is seen and happens once.
import { chromiumPath } from './chromium.ts'

try {
  console.log(`Tests run in ${chromiumPath()}`)
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
