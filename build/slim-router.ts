import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** By default, bundlers get the router's development build, with all its warnings. */
const PRODUCTION = resolve('node_modules/react-router/dist/production/index.mjs')

/**
 * Leaves out what the page does not need of the router: warnings and checks for its caller, and the links, forms and
 * scripts that would stay for the sake of their names.
 */
export function slimRouter(): Plugin {
  return {
    name: 'slim-router',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement: PRODUCTION }] } }),
    transform(code, id) {
      if (!id.includes('/react-router/')) return
      return code
        .replace(/^\w+\.displayName = .*;$/gm, '')
        .replace(/^\s*(?=(?:warning|warningOnce|invariant)\()/gm, '/* @__PURE__ */ ')
        .replace(/= (?=React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ ')
    },
  }
}
