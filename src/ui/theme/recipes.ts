import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'
import { pixels } from './tokens.ts'

// Changes of Chakra's recipes for the components on the page.

/**
 * A turning ring with a gap: the sign of a wait. The gap is a mask. With forced colours, a gap made of a transparent
 * border would be visible.
 */
export const SPINNER = {
  border: '2px solid currentcolor',
  borderRadius: 'full',
  maskImage: 'conic-gradient(transparent 25%, #000 0)',
  animation: 'spin 1s linear infinite',
}

const button = defineRecipe({
  base: {
    maxW: 'full',
    borderWidth: pixels(1),
    whiteSpace: 'normal',
    fontWeight: 'bold',
    transitionProperty: 'none',
    '&:is(:disabled, [data-disabled])': {
      // A disabled button is half transparent, and so is its ring. The ring needs a darker colour.
      focusRingColor: 'colorPalette.fg',
      _highContrast: { color: 'GrayText', borderColor: 'GrayText', opacity: 1 },
    },
  },
  variants: {
    size: {
      md: { h: 'auto', minH: '10', px: '5', py: '2', textStyle: 'none', lineHeight: 1.25 },
    },
    variant: {
      solid: {
        _hover: { bg: 'colorPalette.emphasized' },
        _active: { transform: 'translateY(1px)' },
        // With forced colours all buttons look alike. Filling this one shows that it is the main button.
        _highContrast: { bg: 'ButtonText', color: 'ButtonFace', forcedColorAdjust: 'none' },
        '&[type=submit]': { px: 'min(0.75em, 2vw)', gap: 'min(0.5em, 2vw)' },
        // The button always keeps room for the spinner after the text, and the same room before it. So the text never
        // moves.
        '&[type=submit]::before, &[type=submit]::after': {
          content: '""',
          boxSize: '0.875em',
          minW: 0,
          flexShrink: 1000,
          opacity: 0,
        },
        '&[aria-busy=true]': { cursor: 'progress', opacity: 1 },
        '&[aria-busy=true]::after': {
          ...SPINNER,
          // The spinner appears after 0.3 s. After a quick answer it would only flash.
          opacity: 1,
          transition: 'opacity 0s 0.3s',
          // A spinner that does not turn says nothing. So the button shows three dots.
          _motionReduce: { content: '"…"', h: 'auto', border: 0, maskImage: 'none', animation: 'none' },
        },
      },
      // Partly transparent, because the button may be on any background.
      ghost: { _hover: { bg: 'fg.subtle/25' } },
      outline: { _hover: { color: 'colorPalette.contrast', bg: 'colorPalette.fg' } },
    },
  },
})

const input = defineRecipe({
  variants: {
    // The text of a field has at least 16 px. Phones zoom in on smaller text.
    size: { md: { h: 'auto', minH: '10', px: '3.5', py: '2', fontSize: 'md', textStyle: 'none' } },
    variant: {
      outline: {
        borderWidth: pixels(1),
        bg: 'bg.panel',
        color: 'fg',
        // When a field gets the focus, the browser scrolls its label and its error into view too.
        scrollMarginY: '8',
        focusVisibleRing: 'outside',
        _readOnly: { bg: 'bg.muted', _highContrast: { borderColor: 'GrayText' } },
        _invalid: {
          focusRingColor: 'var(--focus-color)',
          boxShadow: 'inset 0 0 0 1px {colors.border.error}',
          // Forced colours have no shadow and no red. There a thick border marks the error.
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
