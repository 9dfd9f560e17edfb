import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'

const errorRing = { boxShadow: 'inset 0 0 0 1px {colors.border.error}' }

const outline = {
  // The ground of a field: its text, its edge and its error can be read wherever the field stands.
  bg: 'bg.panel',
  color: 'fg',
  focusVisibleRing: 'outside',
  focusRingOffset: '1px',
  _invalid: {
    focusRingColor: 'border.error',
    ...errorRing,
    // Forced colours take colour and shadow away, so a thick edge marks the error.
    _highContrast: { borderInlineStartWidth: '6px', paddingInlineStart: 'calc({spacing.3.5} - 5px)' },
  },
} as const

// Phones zoom in on a field whose text is smaller.
const md = { h: 'auto', minH: '10', ps: '3.5', py: '2', fontSize: 'md', textStyle: 'none' }

export const input = defineRecipe({
  variants: { size: { md: { ...md, pe: '3.5' } }, variant: { outline } },
})

const label = { fontWeight: 'semibold' }
const options = { fontSize: 'md', textStyle: 'none' }

const select = defineSlotRecipe({
  slots: [],
  base: { label },
  variants: {
    size: { md: { trigger: { ...md, pe: '8' }, content: options } },
    variant: { outline: { trigger: { ...outline, _placeholderShown: { color: 'fg.subtle' } } } },
  },
})

const nativeSelect = defineSlotRecipe({
  slots: [],
  variants: { size: { md: { field: { ...md, pe: '8' } } }, variant: { outline: { field: outline } } },
})

const combobox = defineSlotRecipe({
  slots: [],
  base: { label, trigger: { color: 'fg.muted' } },
  variants: {
    size: { md: { input: { ...md, pe: 'var(--combobox-input-padding-end)' }, content: options } },
    variant: { outline: { input: outline } },
  },
})

/** The edge of a chosen mark can be seen on the hero image too. */
const mark = {
  bg: 'bg.panel',
  borderColor: 'border',
  '&[data-state=checked]:not([data-invalid])': { borderColor: 'colorPalette.fg' },
  _invalid: errorRing,
}

const checkbox = defineSlotRecipe({
  slots: [],
  base: { root: { minH: '10' } },
  variants: { variant: { solid: { control: mark } } },
})

const radioGroup = defineSlotRecipe({
  slots: [],
  base: { label, item: { minH: '10' } },
  variants: { variant: { solid: { itemControl: mark } } },
})

const switchRecipe = defineSlotRecipe({
  slots: [],
  base: {
    root: { minH: '10' },
    control: {
      _invalid: { outlineOffset: 0, outlineColor: 'bg.panel', boxShadow: 'inset 0 0 0 2px {colors.border.error}' },
    },
  },
  variants: { variant: { solid: { control: { bg: 'border' } } } },
})

const field = defineSlotRecipe({
  slots: [],
  base: {
    label,
    // Other colours could not be read on the hero image.
    helperText: { color: 'inherit' },
    requiredIndicator: { color: 'inherit' },
    errorText: {
      // A ground for the hero image, which can't be seen on a panel.
      bg: 'bg.panel',
      boxShadow: '-0.25rem 0 {colors.bg.panel}, 0.25rem 0 {colors.bg.panel}',
      display: 'block',
      // Small enough that the longest error fits in one line on a phone, where large text is enlarged less.
      fontSize: { base: 'min(0.8125rem, 5.5vw)', sm: 'sm' },
      lineHeight: 1.25,
      fontWeight: 'bold',
      textStyle: 'none',
      // Its icon hangs beside the text.
      ps: '1.5em',
      textIndent: '-1.5em',
      '& svg': { display: 'inline-block', boxSize: '1.2em', verticalAlign: '-0.25em', me: '0.3em' },
    },
  },
})

/** Every kind of field has the look of `input`. */
export const fieldRecipes = { field, select, nativeSelect, combobox, checkbox, radioGroup, switch: switchRecipe }
