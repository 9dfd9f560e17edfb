import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as chakra from '@chakra-ui/react/theme'
import type { Plugin } from 'vite'

const MODULE = 'virtual:chakra-theme'

const { recipes: _recipes, slotRecipes: _slotRecipes, ...stock } = chakra.defaultThemeConfig.theme ?? {}
/** Chakra's theme without its recipes, with light as the base of its colours, as of ours. */
const WHOLE: typeof stock = JSON.parse(JSON.stringify(stock).replaceAll('"_light":', '"base":'))

/**
 * Hands Chakra's theme to the page as data: whole in development; in a build, where all of it would make the page slow,
 * only what some source names.
 */
export function chakraTheme(): Plugin {
  let theme: () => object
  return {
    name: 'chakra-theme',
    configResolved({ command, root }) {
      theme = () => (command === 'serve' ? WHOLE : namedIn(sourcesOf(root)))
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    configureServer({ config, ws }) {
      ws.on('chakra:recipe-missing', (message: string, client) => {
        config.logger.error(message, { timestamp: true })
        client.send({ type: 'error', err: { message, stack: '' } })
      })
    },
    load: (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(theme())}` : null),
  }
}

/** Everything that may name a token: what the page is written in, and the stock recipes that it imports. */
function sourcesOf(root: string): string {
  const files = globSync('src/{domain,ui}/**/*.{ts,tsx}', { cwd: root })
  const own = files.map((file) => readFileSync(resolve(root, file), 'utf8')).join('\n')
  const imported = [...own.matchAll(/\{[^}]*\} from '@chakra-ui\/react\/theme'/g)].join().split(/\W+/)
  return own + JSON.stringify(Object.entries(chakra).filter(([name]) => imported.includes(name)))
}

/** What `sources` name of Chakra's theme, word by word ('gray.800' has two), and what that refers to. */
export function namedIn(sources: string): typeof WHOLE {
  const { textStyles, layerStyles, animationStyles, semanticTokens, tokens, keyframes, ...rest } = WHOLE
  const namesOf = (text: string) => (path: readonly string[]) =>
    path.every((word) => word === 'DEFAULT' || new RegExp(`(?<!\\w)${word}(?!\\w)`).test(text))
  const named = namesOf(sources)
  const styles = keep({ textStyles, layerStyles, animationStyles }, ([, ...path]) => named(path))
  const isNamed = namesOf(sources + JSON.stringify(styles))
  const semantic = keep({ semanticTokens }, ([, , ...path]) => isNamed(path))
  const references = JSON.stringify(semantic)
  return {
    ...rest,
    ...styles,
    ...semantic,
    ...keep({ tokens }, ([, ...path]) => isNamed(path.slice(1)) || references.includes(`{${path.join('.')}`)),
    keyframes: Object.fromEntries(Object.entries(keyframes ?? {}).filter(([name]) => isNamed([name]))),
  }
}

/** A tree without the leaves whose path is not kept. A leaf is what has a value. */
function keep(tree: object, isKept: (path: readonly string[]) => boolean, path: readonly string[] = []): object {
  const entries = Object.entries(tree).map(([key, branch]) => {
    const to = [...path, key]
    return [key, 'value' in branch ? (isKept(to) ? branch : {}) : keep(branch, isKept, to)]
  })
  return Object.fromEntries(entries.filter(([, kept]) => Object.keys(kept).length > 0))
}
