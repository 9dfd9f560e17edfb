import { createSystem, defaultConfig, defineConfig } from '@chakra-ui/react'
import { globalCss } from './global-css.ts'
import { recipes, slotRecipes } from './recipes.ts'
import { layerStyles, semanticTokens, textStyles, tokens } from './tokens.ts'

const config = defineConfig({
  // Chakra's reset is off, because the global styles have a smaller one.
  preflight: false,
  // No layers are needed: most global styles select elements, so the class of a component wins. Those that have to win
  // over a class have an attribute in their selector.
  disableLayers: true,
  globalCss,
  conditions: {
    // Light or dark is the choice of the visitor's system.
    dark: '@media (prefers-color-scheme: dark)',
    light: '@media (prefers-color-scheme: light)',
  },
  theme: {
    breakpoints: { sm: '40rem', md: '52rem', lg: '64rem', xl: '75rem' },
    tokens,
    semanticTokens,
    textStyles,
    layerStyles,
    recipes,
    slotRecipes,
  },
})

/** Chakra's default configuration, with the look of this page. */
export const system = createSystem(defaultConfig, config)
