// A red test says that the product is wrong: these end what hangs, and are far longer than the busiest machine takes.

/** Milliseconds that a test or a hook may take. */
export const TEST_TIMEOUT = 300_000

/** Milliseconds that a test waits for one fact. */
export const WAIT_TIMEOUT = 60_000
