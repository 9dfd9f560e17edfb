import type { Report } from './sender.ts'

/** Why something did not arrive, by codes alone: a message may repeat what was sent. */
export const refusal = (error: unknown): Report => ({ taken: false, said: codeOf(error) })

/** What Node, fetch and the mail library tell, wherever they put it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  // Of a port that it never calls, fetch gives no code.
  if (code === null && error.message === 'bad port') return error.message
  if (code === null) return error.cause === undefined ? error.name : codeOf(error.cause)
  return 'responseCode' in error && error.responseCode ? `${code} ${error.responseCode}` : code
}
