import { vi } from 'vitest'
import { WAIT_TIMEOUT } from './timeouts.ts'

/** Waits until a condition holds, and returns its value. */
export const until = <Found>(condition: () => Found | Promise<Found>, timeout: number = WAIT_TIMEOUT) =>
  vi.waitUntil(condition, { timeout, interval: 20 })
