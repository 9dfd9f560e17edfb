import { spawn } from 'node:child_process'
import type { Plugin } from 'vite'

/** In development, writes the type errors of the page to the terminal, again after each change. */
export const types = (): Plugin => ({
  name: 'types',
  apply: 'serve',
  configureServer({ config }) {
    const tsc = spawn('tsc', ['-p', 'src', '--watch', '--preserveWatchOutput'], { cwd: config.root, stdio: 'inherit' })
    tsc.once('error', ({ message }) => config.logger.error(`The types of src are not checked: ${message}`))
    process.once('exit', () => tsc.kill())
    // Without a listener the signal would end this process alone.
    process.once('SIGINT', () => process.exit())
  },
})
