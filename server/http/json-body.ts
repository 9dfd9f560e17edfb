import { MIMEType } from 'node:util'
import { errorCodes, type FastifyInstance } from 'fastify'
import { type Guard, sendProblem } from './problems.ts'

// A byte order mark is not JSON: it stays, and the parser refuses it.
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Makes every route of `api` read only JSON in UTF-8, and answer 400 to any other body. */
export function parseJson(api: FastifyInstance): void {
  // Fastify would also take text/plain, and skip validation.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => {
    try {
      // `__proto__` becomes a plain field, which pollutes nothing and which the schemas refuse.
      return JSON.parse(UTF_8.decode(body))
    } catch {
      throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
    }
  })
}

/** Answers 415 to a body that is not declared as JSON in UTF-8: without a type it would be neither parsed nor validated. */
export const acceptOnlyJson: Guard = ({ headers }, reply) => {
  if (!isJsonInUtf8(headers['content-type'])) return sendProblem(reply, 415)
  if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return undefined
  reply.header('accept-encoding', 'identity')
  return sendProblem(reply, 415, { detail: 'Send the body without a Content-Encoding.' })
}

function isJsonInUtf8(contentType = ''): boolean {
  try {
    const { essence, params } = new MIMEType(contentType)
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8')
  } catch {
    return false
  }
}
