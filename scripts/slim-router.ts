import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** What the router's package names for bundlers is its build for development, with all its warnings. */
const PRODUCTION = fileURLToPath(new URL('../production/index.mjs', import.meta.resolve('react-router')))

/** Leaves out what the page does not use of the router: its links, forms and scripts stay for the sake of their names. */
export function slimRouter(): Plugin {
  return {
    name: 'slim-router',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement: PRODUCTION }] } }),
    transform(code, id) {
      if (!id.includes('/react-router/')) return
      return code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ ')
    },
  }
}
