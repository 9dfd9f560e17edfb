import { vi } from 'vitest'
import { WAIT_TIMEOUT } from './timeouts.ts'

/** Waits until something holds. */
export const until = <Found>(holds: () => Found | Promise<Found>) =>
  vi.waitUntil(holds, { timeout: WAIT_TIMEOUT, interval: 5 })
