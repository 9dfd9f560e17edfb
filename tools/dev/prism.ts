import type { createServer } from '@stoplight/prism-http-server'

type Operations = Parameters<typeof createServer>[0]

/** Prism at one address, for one contract after the other. Loaded when it is needed: the build has no use for it. */
export function prismServer() {
  let server: ReturnType<typeof createServer> | undefined
  let port = 0

  /** Returns the URL at which Prism answers now. */
  async function serve(operations: Operations): Promise<string> {
    const { createServer } = await import('@stoplight/prism-http-server')
    const { createLogger } = await import('@stoplight/prism-core')
    await server?.close()
    const validate = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: false }
    server = createServer(operations, {
      components: { logger: createLogger('mock', { level: 'silent' }) },
      config: { ...validate, isProxy: false, upstreamProxy: undefined, mock: { dynamic: false } },
      cors: false,
    })
    const url = await server.listen(port, '127.0.0.1')
    port = Number(new URL(url).port)
    return url
  }

  return {
    /** Listens without a contract. */
    listen: () => serve([]),
    /** Answers as a contract says. Rejects, and answers as before, if Prism can't read it. */
    async mock(contract: string) {
      const { getHttpOperationsFromSpec } = await import('@stoplight/prism-cli/dist/operations.js')
      await serve(await getHttpOperationsFromSpec(contract))
    },
    close: async () => server?.close(),
  }
}
