import { MIMEType } from 'node:util'
import { errorCodes, type FastifyInstance } from 'fastify'
import { ACCEPTED, type Guard, sendProblem } from './problems.ts'

// `ignoreBOM: true` keeps a byte order mark in the text. JSON.parse then refuses the body.
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Refuses half of a UTF-16 pair, which is no character. The patterns of the contract do not find it. */
function refuseLoneSurrogates(_name: string, value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed()) throw new SyntaxError('a lone surrogate')
  return value
}

/** Answers 415 to a `charset` other than UTF-8. Fastify answers 415 to a type other than JSON. */
export const refuseOtherCharsets: Guard = ({ headers: { 'content-type': type = 'application/json' } }, reply) => {
  try {
    const charset = new MIMEType(type).params.get('charset') ?? 'utf-8'
    if (/^utf-?8$/i.test(charset)) return ACCEPTED
  } catch {
    // The header is not a media type.
  }
  return sendProblem(reply, 415)
}

/** Answers 415 to a compressed body. */
export const refuseCompressedBodies: Guard = ({ headers }, reply) => {
  if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return ACCEPTED
  reply.header('accept-encoding', 'identity')
  return sendProblem(reply, 415, { detail: 'Send the body without a Content-Encoding.' })
}

/** Makes every route of `api` read only JSON. Answers 400 if the body is not valid JSON in UTF-8. */
export function acceptOnlyJson(api: FastifyInstance): void {
  // Fastify would also take text/plain, and skip validation.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => {
    try {
      // `__proto__` becomes a plain field, which changes no prototype. The schemas refuse this field.
      return JSON.parse(UTF_8.decode(body), refuseLoneSurrogates)
    } catch {
      throw new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY()
    }
  })
}
