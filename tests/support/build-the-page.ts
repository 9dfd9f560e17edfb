import { execFileSync } from 'node:child_process'

/** Global setup of the tests that open the page as it is built. */
export default function buildThePage(): void {
  execFileSync(process.execPath, ['scripts/build.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
