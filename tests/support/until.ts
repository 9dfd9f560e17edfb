import { vi } from 'vitest'
import { WAIT_TIMEOUT } from './timeouts.ts'

/** Waits until a condition holds, and returns its value. */
export const until = <Found>(condition: () => Found | Promise<Found>) =>
  vi.waitUntil(condition, { timeout: WAIT_TIMEOUT, interval: 20 })
