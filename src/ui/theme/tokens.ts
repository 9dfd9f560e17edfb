import { defineLayerStyles, defineSemanticTokens, defineTextStyles, defineTokens } from '@chakra-ui/react'
import { COLORS } from './brand.ts'

// The page's values for tokens of Chakra. Where Chakra has a semantic token, this file has one too: a plain token would
// lose against it.

export const tokens = defineTokens({
  fonts: { body: { value: 'system-ui, sans-serif' }, heading: { value: '{fonts.body}' } },
  // Some system fonts have only two weights. So Chakra's other weights become one of these two.
  fontWeights: { medium: { value: '400' }, semibold: { value: '700' } },
  // Text grows with a wide screen, from about 1500 px on.
  fontSizes: {
    sm: { value: 'clamp(0.875rem, 0.85vw, 1rem)' },
    md: { value: 'clamp(1rem, 1.05vw, 1.25rem)' },
    lg: { value: 'clamp(1.125rem, 1rem + 0.3vw, 1.5rem)' },
    xl: { value: 'clamp(1.25rem, 1.25vw, 1.5rem)' },
  },
  // The height of buttons and fields.
  sizes: { 10: { value: '2.75rem' } },
  // The spaces do not grow with the text size, because large text needs the room.
  spacing: {
    2: { value: '8px' },
    3: { value: '12px' },
    4: { value: '16px' },
    6: { value: '24px' },
    10: { value: '40px' },
    // The space at both sides of the page: 16 px on a small phone, 103 px on a screen of 1440 px.
    gutter: { value: 'max(16px, 8vw - 12px)' },
  },
})

export const textStyles = defineTextStyles({ sm: { value: { lineHeight: 1.4 } } })

export const layerStyles = defineLayerStyles({ disabled: { value: { cursor: 'default', opacity: 0.55 } } })

export const semanticTokens = defineSemanticTokens({
  // `l2` is for buttons and fields, `l3` for cards and the dialog.
  radii: { l2: { value: '10px' }, l3: { value: '16px' } },
  colors: COLORS,
})
