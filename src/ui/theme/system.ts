import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react'
import { globalCss } from './global-css.ts'
import { recipes, slotRecipes } from './recipes.ts'
import { semanticTokens, textStyles, tokens } from './tokens.ts'

const config = defineConfig({
  // A smaller reset stands in the global styles.
  preflight: false,
  // Global styles match elements, all others one class, which wins: layers are not needed.
  disableLayers: true,
  globalCss,
  conditions: {
    // The page follows the system's setting.
    dark: '@media (prefers-color-scheme: dark)',
    light: '@media (prefers-color-scheme: light)',
  },
  theme: {
    breakpoints: { sm: '40rem', md: '48rem', lg: '64rem', xl: '80rem' },
    tokens,
    semanticTokens,
    textStyles,
    layerStyles: { disabled: { value: { opacity: 0.55, cursor: 'disabled' } } },
    recipes,
    slotRecipes,
    keyframes: {
      spin: { to: { transform: 'rotate(1turn)' } },
      fly: {
        '30%': { transform: 'translate(-0.25rem, 0.25rem)' },
        '75%': { transform: 'translate(4rem, -2.5rem) scale(0.6)', opacity: 0 },
        '76%': { transform: 'none', opacity: 0 },
      },
      drip: {
        '25%': { transform: 'translateY(-0.5rem) scale(0.94, 1.08)' },
        '55%': { transform: 'translateY(0.125rem) scale(1.1, 0.88)' },
        '80%': { transform: 'translateY(-0.125rem)' },
      },
    },
  },
})

/** Chakra, with its documented props and conditions; of its theme only what this page uses. */
export const system = createSystem(defaultBaseConfig, config)
