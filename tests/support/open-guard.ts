import type { Guard } from '../../server/http/access.ts'

/** Lets as many calls through as a test makes. */
export const OPEN_GUARD: Guard = { publicOrigin: null, rateLimits: null, trustProxy: [], revealExisting: true }
