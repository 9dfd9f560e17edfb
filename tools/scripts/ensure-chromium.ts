// Runs before the tests, so that a browser is installed once, and visibly.
import { chromiumPath } from './chromium.ts'

try {
  console.log(`Browser for the tests: ${chromiumPath()}`)
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
