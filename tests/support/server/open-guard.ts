import type { AccessPolicy } from '../../../server/http/access.ts'

/** Lets as many calls through as a test makes. */
export const OPEN_ACCESS: AccessPolicy = { publicOrigin: null, rateLimits: null, trustProxy: [], revealExisting: true }
