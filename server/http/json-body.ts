import { errorCodes, type FastifyInstance } from 'fastify'
import { type Guard, sendProblem } from './problems.ts'

/** JSON that is declared as such, in UTF-8. Fastify answers 415 to any other type, and to none. */
const JSON_IN_UTF8 = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

// A byte order mark is not JSON: it stays, and the parser refuses it.
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Half of a pair of UTF-16 is no character. The contract's patterns leave it to the parser. */
function refuseLoneSurrogates(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('a lone surrogate')
  return value
}

/** Answers 415 to a compressed body. */
export const refuseEncodings: Guard = ({ headers }, reply) => {
  if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return undefined
  reply.header('accept-encoding', 'identity')
  return sendProblem(reply, 415, { detail: 'Send the body without a Content-Encoding.' })
}

/** Makes every route of `api` read only JSON in UTF-8, and answer 400 to any other body. */
export function parseJson(api: FastifyInstance): void {
  // Fastify would also take text/plain, and skip validation.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser<Buffer>(JSON_IN_UTF8, { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => {
    try {
      // `__proto__` becomes a plain field, which pollutes nothing and which the schemas refuse.
      return JSON.parse(UTF_8.decode(body), refuseLoneSurrogates)
    } catch {
      throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
    }
  })
}
