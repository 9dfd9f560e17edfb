import { createSystem, defaultConfig, defineConfig } from '@chakra-ui/react'
import { globalCss } from './global-css.ts'
import { recipes, slotRecipes } from './recipes.ts'
import { layerStyles, semanticTokens, textStyles, tokens } from './tokens.ts'

const config = defineConfig({
  // A smaller reset stands in the global styles.
  preflight: false,
  // Layers are not needed: global styles select elements, and all other styles one class, which wins.
  disableLayers: true,
  globalCss,
  conditions: {
    // The page follows the system's setting.
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

/** Chakra as it is documented, with our look. */
export const system = createSystem(defaultConfig, config)
