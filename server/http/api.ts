import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import type { Settings } from '../settings.ts'
import type { Store } from '../storage/store.ts'
import { refuseOtherSites, requireXsrfToken } from './cross-site.ts'
import { createHandlers } from './handlers.ts'
import { parseJson, refuseCharsets, refuseEncodings } from './json-body.ts'
import type { Guard } from './problems.ts'
import { warnOfUntrustedProxy } from './proxies.ts'
import { limitRates } from './rate-limits.ts'

const CONTRACT = join(import.meta.dirname, '..', '..', 'openapi.yaml')

/** Serves the operations of the contract. */
export async function serveApi(app: FastifyInstance, store: Store, settings: Settings): Promise<void> {
  /** Each guard, in this order, may refuse a call before its body is read. */
  const guards: readonly Guard[] = [
    warnOfUntrustedProxy(),
    refuseOtherSites(settings),
    limitRates(settings),
    requireXsrfToken(settings),
    refuseCharsets,
    refuseEncodings,
  ]
  await app.register(async (api) => {
    api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    for (const guard of guards) api.addHook('onRequest', async (request, reply) => guard(request, reply))
    parseJson(api)
    // A serializer made from the contract would silently drop a wrong field. The compiler checks the answers instead.
    api.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
    await api.register(openapiGlue, { specification: CONTRACT, serviceHandlers: createHandlers(store, settings) })
  })
}
