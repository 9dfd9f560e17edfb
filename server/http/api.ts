import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import type { Settings } from '../settings.ts'
import type { Store } from '../storage/store.ts'
import { refuseOtherSites, requireXsrfToken } from './cross-site.ts'
import { createHandlers } from './handlers.ts'
import { acceptOnlyJson, refuseCompressedBodies, refuseOtherCharsets } from './json-body.ts'
import type { Guard } from './problems.ts'
import { warnOfUntrustedProxy } from './proxies.ts'
import { limitRates } from './rate-limits.ts'

const CONTRACT = join(import.meta.dirname, '..', '..', 'openapi.yaml')

export async function serveApi(app: FastifyInstance, store: Store, settings: Settings): Promise<void> {
  /** Before the body of a call is read, the guards run in this order. Each may refuse the call; the first only warns. */
  const guards: readonly Guard[] = [
    warnOfUntrustedProxy(),
    refuseOtherSites(settings),
    limitRates(settings),
    requireXsrfToken(settings),
    refuseOtherCharsets,
    refuseCompressedBodies,
  ]
  await app.register(async (api) => {
    api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    for (const guard of guards) api.addHook('onRequest', async (request, reply) => guard(request, reply))
    acceptOnlyJson(api)
    // A serializer made from the contract would silently drop a wrong field. TypeScript checks the answers instead.
    api.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
    await api.register(openapiGlue, { specification: CONTRACT, serviceHandlers: createHandlers(store, settings) })
  })
}
