import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'
import { fieldRecipes, input } from './field-recipes.ts'

/** Can be read in light and dark with every palette. */
const hover = { color: 'bg', bg: 'colorPalette.fg' }

const button = defineRecipe({
  base: {
    maxW: 'full',
    whiteSpace: 'normal',
    fontWeight: 'bold',
    transitionProperty: 'none',
    '&:is(:disabled, [data-disabled])': { _highContrast: { color: 'GrayText', borderColor: 'GrayText', opacity: 1 } },
    '&[aria-busy=true]': { cursor: 'progress', opacity: 1 },
    // Room for a ring beside the text, and as much before it: the text stays where it is when the ring comes and goes.
    '&[type=submit]': { px: 'min({spacing.2}, 1.5vw)', gap: 'min({spacing.2}, 2vw)' },
    '&[type=submit]::before, &[type=submit]::after': { content: '""', minW: 0, boxSize: '0.875em', flexShrink: 1e3 },
    '&[type=submit]::before': { flexShrink: 1e6 },
    '&[aria-busy=true]::after': {
      border: '2px solid currentcolor',
      borderTopColor: 'transparent',
      borderRadius: 'full',
      animation: 'spin 1s linear infinite',
      // An ellipsis replaces the ring if the ring would stand still or be invisible.
      '@media (prefers-reduced-motion: reduce), (forced-colors: active)': {
        content: '"…"',
        h: 'auto',
        border: 0,
        animation: 'none',
      },
    },
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

// A finger hits it.
const accordion = defineSlotRecipe({ slots: [], base: { itemTrigger: { minH: '10' } } })

// Large text has room on a phone.
const tabs = defineSlotRecipe({ slots: [], base: { list: { flexWrap: 'wrap' } } })

/** Our changes of Chakra's recipes. */
export const recipes = { button, input, textarea: input }
export const slotRecipes = { ...fieldRecipes, accordion, tabs }
