import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

// Our changes of Chakra's recipes, for what is on the page.

/** The one sign of a wait. Its gap is a mask, which forced colours leave. */
export const RING = {
  border: '2px solid currentcolor',
  borderRadius: 'full',
  maskImage: 'conic-gradient(transparent 25%, #000 0)',
  animation: 'spin 1s linear infinite',
}

const button = defineRecipe({
  base: {
    maxW: 'full',
    whiteSpace: 'normal',
    fontWeight: 'bold',
    transitionProperty: 'none',
    '&:is(:disabled, [data-disabled])': {
      // The button is pale, and so is its ring, which therefore has a darker color.
      focusRingColor: 'colorPalette.fg',
      _highContrast: { color: 'GrayText', borderColor: 'GrayText', opacity: 1 },
    },
  },
  variants: {
    size: {
      md: { h: 'auto', minH: '10', px: 'min({spacing.5}, 5.5vw)', py: '2', textStyle: 'none', lineHeight: 1.25 },
    },
    variant: {
      solid: {
        _hover: { bg: 'colorPalette.emphasized' },
        _active: { transform: 'translateY(1px)' },
        // Forced colours draw all buttons alike. This one is filled.
        _highContrast: { bg: 'ButtonText', color: 'ButtonFace', forcedColorAdjust: 'none' },
        '&[type=submit]': { px: 0, gap: 'min(0.5em, 2vw)' },
        // Room for the ring of a busy button, and as much before its text, which does not move.
        '&[type=submit]::before, &[type=submit]::after': {
          content: '""',
          boxSize: '0.875em',
          minW: 0,
          flexShrink: 1000,
          opacity: 0,
        },
        '&[aria-busy=true]': { cursor: 'progress', opacity: 1 },
        '&[aria-busy=true]::after': {
          ...RING,
          // A quick answer comes before the ring, which would only flash.
          opacity: 1,
          transition: 'opacity 0s 0.3s',
          // A ring that stands still would say nothing.
          _motionReduce: { content: '"…"', h: 'auto', border: 0, maskImage: 'none', animation: 'none' },
        },
      },
      // On any ground.
      ghost: { _hover: { bg: 'fg.subtle/25' } },
      outline: { _hover: { color: 'colorPalette.contrast', bg: 'colorPalette.fg' } },
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
        color: 'fg',
        // A field that gets the focus is scrolled into view with its label and its error.
        scrollMarginY: '8',
        focusVisibleRing: 'outside',
        _readOnly: { bg: 'bg.muted', _highContrast: { borderColor: 'GrayText' } },
        _invalid: {
          focusRingColor: 'var(--focus-color)',
          boxShadow: 'inset 0 0 0 1px {colors.border.error}',
          // Forced colours take colour and shadow away, so a thick edge marks the error.
          _highContrast: { borderInlineStartWidth: '6px' },
        },
      },
    },
  },
})

const field = defineSlotRecipe({
  slots: [],
  base: {
    label: { fontWeight: 'semibold' },
    errorText: { display: 'flex', alignItems: 'start', fontWeight: 'bold', textStyle: 'none' },
  },
})

export const recipes = { button, input, textarea: input }
export const slotRecipes = { field }
