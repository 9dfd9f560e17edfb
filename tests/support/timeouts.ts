// A red test says that the product is wrong: these end what hangs, and are longer than a busy machine takes. A slower one
// sets WAIT_SECONDS.

/** Milliseconds that a test waits for one fact. */
export const WAIT_TIMEOUT: number = Number(process.env.WAIT_SECONDS || 15) * 1000

/** Milliseconds that a test or a hook may take. */
export const TEST_TIMEOUT: number = 10 * WAIT_TIMEOUT

/** How much of the long tests runs: 20 is the full count. */
export const ROUNDS: number = Number(process.env.ROUNDS || 1)
