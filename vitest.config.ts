import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { TEST_TIMEOUT, WAIT_TIMEOUT } from './tests/support/timeouts.ts'
import { CHROMIUM_ARGS, installedChromium } from './tools/scripts/chromium.ts'

const TIMEOUTS = {
  testTimeout: TEST_TIMEOUT,
  hookTimeout: TEST_TIMEOUT,
  expect: { poll: { timeout: WAIT_TIMEOUT } },
}

/** A project of the tests in these folders. */
const onNode = (
  name: string,
  folders: readonly string[],
  options: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include: folders.map((folder) => `tests/${folder}/**/*.test.ts`),
    environment: 'node',
    // Test files share their modules, which a worker then loads only once.
    isolate: false,
    setupFiles: ['tests/support/seed.ts'],
    ...TIMEOUTS,
    ...options,
  },
})

const executablePath = installedChromium()

let [done, total] = [0, 0]
/** Prints how many test files are done, besides the default reporter's results. */
const progress: Reporter = {
  onTestRunStart(specifications) {
    total = specifications.length
  },
  onTestModuleStart({ moduleId }) {
    process.stdout.write(`${done} of ${total} test files done; running ${relative(import.meta.dirname, moduleId)}\n`)
  },
  onTestModuleEnd() {
    done += 1
  },
}

/** A PostgreSQL server for the tests that run on every database. */
const SHARED_POSTGRES = 'tests/support/server/postgres.ts'

const BUILT_PAGE = 'tests/support/page/build-the-page.ts'

// The programs that tests start, in any folder, share one cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

export default defineConfig({
  test: {
    reporters: ['default', progress],
    silent: 'passed-only',
    // Tests wait some of their time: two cores have room for three files.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      // One project for many folders, because each project starts processes of its own.
      onNode('node', ['domain', 'tools', 'adapters', 'contract', 'server', 'leads', 'resilience'], {
        globalSetup: SHARED_POSTGRES,
      }),
      {
        plugins: [react()],
        optimizeDeps: { include: ['react/jsx-dev-runtime'] },
        test: {
          name: 'ui',
          // Alone and first: Vitest gives a page of the tests only a minute to load.
          sequence: { groupOrder: -1 },
          include: ['tests/ui/**/*.test.tsx'],
          ...TIMEOUTS,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            connectTimeout: TEST_TIMEOUT,
            provider: playwright({ launchOptions: { ...(executablePath && { executablePath }), args: CHROMIUM_ARGS } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      onNode('e2e', ['e2e'], { globalSetup: BUILT_PAGE }),
      onNode('system', ['system'], {
        globalSetup: [BUILT_PAGE, SHARED_POSTGRES],
        // The files of this project load the machine.
        fileParallelism: false,
      }),
    ],
  },
})
