import type { Timers } from '../domain/ports.ts'

const TIMEOUT_MS = 10_000

/** What a call is answered. A status outside 2xx, a body that can't be read, ten seconds of silence: 'failed'. */
export async function answer<Answer>(
  timers: Timers,
  send: (signal: AbortSignal) => Promise<{ response: Response; data?: unknown }>,
  read: (fields: Record<string, unknown>) => Answer,
): Promise<Answer | 'failed'> {
  const abort = new AbortController()
  const cancel = timers.after(TIMEOUT_MS, () => abort.abort())
  try {
    const { response, data } = await send(abort.signal)
    return response.ok ? read(typeof data === 'object' && data !== null ? { ...data } : {}) : 'failed'
  } catch {
    return 'failed'
  } finally {
    cancel()
  }
}
