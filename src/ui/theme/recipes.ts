import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

/** Can be read in light and dark with every palette. */
const hover = { color: 'bg', bg: 'colorPalette.fg' }

const button = defineRecipe({
  base: {
    maxW: 'full',
    whiteSpace: 'normal',
    fontWeight: 'bold',
    transitionProperty: 'none',
    '&:is(:disabled, [data-disabled])': { _highContrast: { color: 'GrayText', borderColor: 'GrayText' } },
    '&[aria-busy=true]': { cursor: 'progress', opacity: 1 },
  },
  variants: {
    size: {
      md: { h: 'auto', minH: '10', px: 'min({spacing.5}, 5.7vw)', py: '2', textStyle: 'none', lineHeight: 1.25 },
    },
    variant: {
      solid: { _hover: hover, _active: { ...hover, transform: 'translateY(1px)' } },
      ghost: { _active: { bg: 'colorPalette.subtle' } },
    },
  },
})

const input = defineRecipe({
  variants: {
    // Phones zoom in on a field whose text is smaller.
    size: { md: { h: 'auto', minH: '10', px: '3.5', py: '2', fontSize: 'md', textStyle: 'none' } },
    variant: {
      outline: {
        bg: 'bg.panel',
        focusVisibleRing: 'outside',
        focusRingOffset: '1px',
        _invalid: {
          focusRingColor: 'colorPalette.focusRing',
          boxShadow: 'inset 0 0 0 1px {colors.border.error}',
          // Forced colours take colour and shadow away, so a thick edge marks the error.
          _highContrast: { borderInlineStartWidth: '6px', paddingInlineStart: 'calc({spacing.3.5} - 5px)' },
        },
      },
    },
  },
})

const field = defineSlotRecipe({
  slots: [],
  base: {
    label: { fontWeight: 'semibold' },
    errorText: {
      display: 'block',
      // Small enough that the longest error fits in one line, also on a phone.
      fontSize: { base: '0.8125rem', sm: 'sm' },
      lineHeight: 1.25,
      fontWeight: 'bold',
      textStyle: 'none',
    },
  },
})

/** Our changes of Chakra's recipes. */
export const recipes = { button, input, textarea: input }
export const slotRecipes = { field }
