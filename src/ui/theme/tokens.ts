import { defineLayerStyles, defineSemanticTokens, defineTextStyles, defineTokens } from '@chakra-ui/react'
import { COLORS } from './brand.ts'

// Our values, under Chakra's names. A semantic token of Chakra is semantic here too: it would win over a plain token.

export const tokens = defineTokens({
  fonts: { body: { value: 'system-ui, sans-serif' }, heading: { value: '{fonts.body}' } },
  // System fonts may have only two weights, so the weights of stock components become one of these.
  fontWeights: { medium: { value: '400' }, semibold: { value: '700' } },
  // The height of a control of the usual size.
  sizes: { 10: { value: '2.75rem' } },
  durations: { moderate: { value: '150ms' } },
})

export const textStyles = defineTextStyles({
  sm: { value: { lineHeight: 1.3 } },
  lg: { value: { lineHeight: 1.5 } },
})

export const layerStyles = defineLayerStyles({ disabled: { value: { cursor: 'default', opacity: 0.55 } } })

export const semanticTokens = defineSemanticTokens({
  radii: { l2: { value: '0.625rem' }, l3: { value: '1rem' } },
  colors: Object.fromEntries(
    Object.entries(COLORS).map(([group, colors]) => [
      group,
      Object.fromEntries(
        Object.entries(colors).map(([name, [light, dark]]) => [
          name,
          { value: light === dark ? light : { _light: light, _dark: dark } },
        ]),
      ),
    ]),
  ),
})
