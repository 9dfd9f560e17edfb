import { browserTimers } from '../../src/adapters/browser.ts'
import { httpBackend } from '../../src/adapters/http-backend.ts'
import type { Backend } from '../../src/domain/ports.ts'

/** The page's own way to a backend, in a browser that holds this cookie. */
export const backendAt = (origin: string, cookie = ''): Backend =>
  httpBackend({ origin, cookies: { read: () => cookie, write() {} }, timers: browserTimers })
