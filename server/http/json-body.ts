import { isUtf8 } from 'node:buffer'
import { MIMEType } from 'node:util'
import { errorCodes, type FastifyInstance } from 'fastify'
import { sendProblem } from './problems.ts'

const BOM = Buffer.from('\ufeff')

/** Makes every route of `api` answer 415 to bodies that are not sent as JSON in UTF-8, and 400 to those that are none. */
export function acceptOnlyJson(api: FastifyInstance): void {
  // A `__proto__` is a field like any other: it pollutes nothing, and the schemas refuse it.
  const parse = api.getDefaultJsonParser('ignore', 'ignore')
  // Fastify would take text/plain too, and check nothing of it.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // The parser would skip a byte order mark, which is no JSON.
    if (isUtf8(body) && !body.subarray(0, BOM.length).equals(BOM)) parse(request, body.toString(), done)
    else done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
  })
  // Before any parser: without a content type Fastify would run neither parser nor validation.
  api.addHook('onRequest', async ({ headers }, reply) => {
    if (!isJsonInUtf8(headers['content-type'])) return sendProblem(reply, 415)
    if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
      reply.header('accept-encoding', 'identity')
      return sendProblem(reply, 415, { detail: 'Send the body as it is, without a Content-Encoding.' })
    }
  })
}

function isJsonInUtf8(contentType = ''): boolean {
  try {
    const { essence, params } = new MIMEType(contentType)
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8')
  } catch {
    return false
  }
}
