import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import type { Reporter, Vitest } from 'vitest/node'
import { TEST_TIMEOUT, WAIT_TIMEOUT } from './tests/support/timeouts.ts'

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

let [done, total] = [0, 0]
let vitest: Vitest
/** Prints how many test files are done, besides the default reporter's results, and how to change an outline. */
const progress: Reporter = {
  onInit(context) {
    vitest = context
  },
  onTestRunStart(specifications) {
    total = specifications.length
  },
  onTestModuleStart({ moduleId }) {
    process.stdout.write(`${done} of ${total} test files done; running ${relative(import.meta.dirname, moduleId)}\n`)
  },
  onTestModuleEnd() {
    done += 1
  },
  onTestRunEnd() {
    if (vitest.snapshot.summary.unmatched)
      process.stdout.write('An outline differs. If that is on purpose, write it anew: npx vitest run FILE -u\n')
  },
}

/** A PostgreSQL server for the tests that run on every database. */
const SHARED_POSTGRES = 'tests/support/server/postgres.ts'

const BUILT_PAGE = 'tests/support/page/build-the-page.ts'

// The programs that tests start, in any folder, share one cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

// In production React has no helpers for tests.
process.env.NODE_ENV = 'test'

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
      onNode('ui', ['ui'], {
        include: ['tests/ui/**/*.test.tsx'],
        environment: 'happy-dom',
        setupFiles: ['tests/support/ui/set-up.ts'],
      }),
      onNode('e2e', ['e2e'], { globalSetup: BUILT_PAGE }),
      onNode('system', ['system'], {
        globalSetup: [BUILT_PAGE, SHARED_POSTGRES],
        // The files of this project load the machine.
        fileParallelism: false,
      }),
    ],
  },
})
