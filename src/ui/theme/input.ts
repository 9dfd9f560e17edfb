import { defineRecipe } from '@chakra-ui/react'

/** The look of every text field. */
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
    // A field that is scrolled into view brings its label and its error with it.
    scrollMarginY: 'min({spacing.8}, 4 * var(--screen))',
    focusVisibleRing: 'outside',
    focusRingOffset: '1px',
    // An empty field has no text that dir="auto" could take its direction from.
    '&:placeholder-shown': { direction: 'inherit' },
    // The placeholder is quieter than the label and than what is typed.
    _placeholder: { color: 'fg.subtle', opacity: 1 },
    _invalid: {
      borderColor: 'border.error',
      boxShadow: 'inset 0 0 0 1px {colors.border.error}',
      // Forced colours take colour and shadow away, so a thick edge marks the error.
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
