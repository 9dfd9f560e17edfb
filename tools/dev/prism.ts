import type { createServer } from '@stoplight/prism-http-server'

type Operations = Parameters<typeof createServer>[0]

/** A Prism server that keeps its address when the contract changes. The build needs no Prism, so it is imported late. */
export function prismServer() {
  let server: ReturnType<typeof createServer> | undefined
  let port = 0

  /** Starts Prism anew for these operations, at the same port. Returns its URL. */
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
    /** Starts without a contract. Returns the URL. */
    listen: () => serve([]),
    /** Answers by the contract in a file. Rejects, and answers as before, if Prism can't read the file. */
    async mock(contractFile: string) {
      const { getHttpOperationsFromSpec } = await import('@stoplight/prism-cli/dist/operations.js')
      await serve(await getHttpOperationsFromSpec(contractFile))
    },
    close: async () => server?.close(),
  }
}
