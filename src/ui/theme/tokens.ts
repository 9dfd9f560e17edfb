import { defineLayerStyles, defineSemanticTokens, defineTextStyles, defineTokens } from '@chakra-ui/react'
import { COLORS } from './brand.ts'

// The page's values for tokens of Chakra. Where Chakra has a semantic token, this file has one too: a plain token would
// lose against it.

/**
 * A length that does not grow with the text size that a visitor has set, because large text needs the room. On a screen
 * wider than 1920 px it grows with the screen, as the root's font size does.
 */
export const pixels = (length: number) => `max(${length}px, min(${length / 19.2}vw, ${length / 10}svh))`

/** The space at both sides of the page grows with this length: 16 px on a small phone, 103 px on a screen of 1440 px. */
export const GUTTER_GROWTH = '8vw'

export const tokens = defineTokens({
  fonts: { body: { value: 'system-ui, sans-serif' }, heading: { value: '{fonts.body}' } },
  // Some system fonts have only two weights. So Chakra's other weights become one of these two.
  fontWeights: { medium: { value: '400' }, semibold: { value: '700' } },
  // Text grows with a wide screen: `lg` from about 1080 px on, the others from about 1500 px on. On a small phone a
  // visitor's large text is limited to a part of the width, so that words fit into a line.
  fontSizes: {
    sm: { value: 'min(clamp(0.875rem, 0.85vw, 1rem), 6vw)' },
    md: { value: 'min(clamp(1rem, 1.05vw, 1.25rem), 7vw)' },
    lg: { value: 'min(clamp(1.125rem, 0.55rem + 0.85vw, 1.75rem), 8vw)' },
    xl: { value: 'min(clamp(1.25rem, 1.25vw, 1.5rem), 7vw)' },
  },
  // 10 is the height of buttons and fields. If the size of a button's text is limited, so is the height of the button.
  // 11 is the size of a button without text, and 5 the size of an icon in a button.
  sizes: { 5: { value: '1.25em' }, 10: { value: 'max(44px, min(2.75rem, 2.75em))' }, 11: { value: pixels(44) } },
  spacing: {
    2: { value: pixels(8) },
    3: { value: pixels(12) },
    3.5: { value: 'min(0.875rem, 4.4vw)' },
    4: { value: pixels(16) },
    5: { value: 'min(1.25rem, 5.5vw)' },
    6: { value: pixels(24) },
    10: { value: pixels(40) },
    gutter: { value: `max(16px, ${GUTTER_GROWTH} - 12px)` },
  },
})

export const textStyles = defineTextStyles({ sm: { value: { lineHeight: 1.4 } } })

export const layerStyles = defineLayerStyles({ disabled: { value: { cursor: 'default', opacity: 0.7 } } })

export const semanticTokens = defineSemanticTokens({
  // `l2` is for buttons and fields, `l3` for cards and the dialog.
  radii: { l2: { value: pixels(10) }, l3: { value: pixels(16) } },
  colors: COLORS,
})
