import { isUtf8 } from 'node:buffer'
import { errorCodes, type FastifyInstance } from 'fastify'
import { sendProblem } from './problems.ts'

const JSON_IN_UTF8 = /^application\/json\s*(?:;\s*charset="?utf-?8"?)?$/i

/** Makes every route of `api` answer 415 to bodies that are not sent as JSON in UTF-8, and 400 to those that are none. */
export function acceptOnlyJson(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  // Fastify would take text/plain too, and check nothing of it.
  api.removeAllContentTypeParsers()
  api.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isUtf8(body)) parse(request, body.toString(), done)
    else done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
  })
  // Before any parser: without a content type Fastify would run neither parser nor validation.
  api.addHook('onRequest', async (request, reply) => {
    if (!JSON_IN_UTF8.test(request.headers['content-type'] ?? '')) return sendProblem(reply, 415)
  })
}
