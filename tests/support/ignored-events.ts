import type { CommitEvents } from '../../server/storage/group-commit.ts'

/** For stores of which only the answers matter. */
export const ignoredEvents: CommitEvents = { committed() {}, failed() {}, refused() {} }
