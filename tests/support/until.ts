import { vi } from 'vitest'
import { WAIT_TIMEOUT } from './timeouts.ts'

/** Waits until something holds. */
export const until = (holds: () => unknown): Promise<unknown> =>
  vi.waitUntil(holds, { timeout: WAIT_TIMEOUT, interval: 5 })
