import { httpBackend } from '../../src/adapters/http-backend.ts'
import type { Enquiry } from '../../src/domain/enquiry.ts'
import type { Backend } from '../../src/domain/ports.ts'
import { createFakeTimers } from './fake-timers.ts'

/** The page's own way to a backend, in a browser that holds this cookie. */
export const backendAt = (origin: string, cookie = ''): Backend =>
  httpBackend({ origin, cookies: { read: () => cookie, write() {} }, timers: createFakeTimers() })

export const ENQUIRY = {
  first: 'Given',
  last: 'Family',
  email: 'visitor@example.com',
  message: 'When will you start?',
} satisfies Enquiry
