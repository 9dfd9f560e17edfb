import { stripVTControlCharacters } from 'node:util'
import type { Plugin } from 'vite'

/** In development, shows an error that a component or a handler threw, with its place in the source, on the page too. */
export const faults = (): Plugin => ({
  name: 'faults',
  apply: 'serve',
  config: () => ({ server: { forwardConsole: { unhandledErrors: true, logLevels: [] } } }),
  configureServer({ config: { logger }, ws }) {
    const { error } = logger
    logger.error = (line, options) => {
      error(line, options)
      // Vite has found the place; its own overlay shows only errors of its own.
      if (line.includes('[Unhandled '))
        ws.send({ type: 'error', err: { message: stripVTControlCharacters(line), stack: '' } })
    }
  },
})
