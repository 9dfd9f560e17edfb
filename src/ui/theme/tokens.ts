import { defineLayerStyles, defineSemanticTokens, defineTextStyles, defineTokens } from '@chakra-ui/react'
import { COLORS } from './brand.ts'

// Our values, under Chakra's names. A semantic token of Chakra is semantic here too: it would win over a plain token.

export const tokens = defineTokens({
  fonts: { body: { value: 'system-ui, sans-serif' }, heading: { value: '{fonts.body}' } },
  // System fonts may have only two weights, so the weights of stock components become one of these.
  fontWeights: { medium: { value: '400' }, semibold: { value: '700' } },
  // Text grows with a wide screen, from about 1500 px on.
  fontSizes: {
    sm: { value: 'clamp(0.875rem, 0.85vw, 1rem)' },
    md: { value: 'clamp(1rem, 1.05vw, 1.25rem)' },
    lg: { value: 'clamp(1.125rem, 1rem + 0.3vw, 1.5rem)' },
    xl: { value: 'clamp(1.25rem, 1.25vw, 1.5rem)' },
  },
  // The height of a control of the usual size.
  sizes: { 10: { value: '2.75rem' } },
  // The steps of the layout do not grow with the text, which needs the room.
  spacing: {
    2: { value: '8px' },
    3: { value: '12px' },
    4: { value: '16px' },
    6: { value: '24px' },
    10: { value: '40px' },
    // From the edge of the screen to everything: 16 px on a small phone, 103 px at a width of 1440.
    gutter: { value: 'max(16px, 8vw - 12px)' },
  },
})

export const textStyles = defineTextStyles({ sm: { value: { lineHeight: 1.4 } } })

export const layerStyles = defineLayerStyles({ disabled: { value: { cursor: 'default', opacity: 0.55 } } })

export const semanticTokens = defineSemanticTokens({
  // What is pressed or filled in, and what stands free.
  radii: { l2: { value: '10px' }, l3: { value: '16px' } },
  colors: COLORS,
})
