import { browserTimers } from '../../src/adapters/browser.ts'
import { httpBackend } from '../../src/adapters/http-backend.ts'
import type { Backend } from '../../src/domain/ports.ts'

/** The client of the page for this backend, in a browser with this cookie. */
export const backendAt = (origin: string, cookie = ''): Backend =>
  httpBackend({ origin, cookies: { read: () => cookie, write() {} }, timers: browserTimers })
