// These limits end tests that hang. No busy machine reaches them, so that a red test means a fault of the product. Set
// WAIT_SECONDS on a slower machine.

/** Milliseconds that a test waits for one fact. */
export const WAIT_TIMEOUT: number = Number(process.env.WAIT_SECONDS || 15) * 1000

/** Milliseconds that a test or a hook may take. */
export const TEST_TIMEOUT: number = 10 * WAIT_TIMEOUT

/** The number of rounds in a long test: 20 is the full number. */
export const ROUNDS: number = Number(process.env.ROUNDS || 1)
