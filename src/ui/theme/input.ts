import { defineRecipe } from '@chakra-ui/react'

/** The look of everything that is filled in. */
export const inputRecipe = defineRecipe({
  className: 'input',
  base: {
    display: 'block',
    w: 'full',
    minW: 0,
    minH: '11',
    px: '3.5',
    py: '2',
    color: 'fg',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'l2',
    // Scrolled into view, it brings its label and its error with it.
    scrollMarginY: 'min({spacing.8}, 4dvh)',
    focusVisibleRing: 'outside',
    focusRingOffset: '1px',
    // An empty field is no text that 'auto' could take its direction from.
    '&:placeholder-shown': { direction: 'inherit' },
    // Quieter than the label and than what is typed.
    _placeholder: { color: 'fg.subtle', opacity: 1 },
    _invalid: {
      borderColor: 'border.error',
      boxShadow: 'inset 0 0 0 1px {colors.border.error}',
      // Colour and shadow are gone there.
      _highContrast: { borderInlineStartWidth: '6px', paddingInlineStart: 'calc({spacing.3.5} - 5px)' },
    },
    _readOnly: { bg: 'bg.muted', _highContrast: { color: 'GrayText', borderColor: 'GrayText' } },
  },
  variants: { size: { md: {}, lg: { fontSize: 'xl' } } },
  defaultVariants: { size: 'md' },
})

export const textareaRecipe = defineRecipe({
  ...inputRecipe,
  className: 'textarea',
  base: { ...inputRecipe.base, h: '104px', resize: 'none' },
})
