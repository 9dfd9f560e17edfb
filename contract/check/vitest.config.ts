import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, MinimalReporter, type TestSpecification } from 'vitest/node'

/** Vitest's report without the list of failed tests, so that the first failure stands on the first screen. */
class Failures extends MinimalReporter {
  protected override printTestModule() {}
}
class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((one, other) => one.moduleId.localeCompare(other.moduleId))
  }
}
const { CONTRACT_JUNIT: outputFile = '' } = process.env

// The check tests any backend: `npm run contract -- URL` runs it, `npm test` does not.
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    include: ['contract/check/*.test.ts'],
    reporters: [new Failures(), ...(outputFile === '' ? [] : [['junit', { outputFile }] satisfies ['junit', object]])],
    // One call after the other, the simplest first. All files share the reported faults.
    fileParallelism: false,
    isolate: false,
    sequence: { sequencer: ByName },
    // A test waits while the backend limits calls.
    testTimeout: 0,
    // A fault is in the backend, not in the lines of this check.
    onStackTrace: () => false,
  },
})
