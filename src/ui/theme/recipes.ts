import { defineRecipe, defineSlotRecipe } from '@chakra-ui/react'
import { iconRecipe } from '@chakra-ui/react/theme'
import { buttonRecipe } from './button.ts'
import { inputRecipe, textareaRecipe } from './input.ts'

const headingRecipe = defineRecipe({
  className: 'heading',
  base: { fontWeight: 'bold' },
  variants: {
    size: {
      xl: { fontSize: 'min({fontSizes.2xl}, 8vw)', lineHeight: 1.2 },
      // Sized by its container, whose width does not change when the page's scrollbar goes. On a low screen a wide
      // heading would leave no room for the form; on a narrow one large text would not fit.
      '7xl': {
        fontSize: 'min(clamp(2.625rem, min(1.25rem + 6.5cqi, 14vh), 8rem), 14.4cqi)',
        lineHeight: 1.02,
        letterSpacing: '-0.03em',
      },
    },
  },
  defaultVariants: { size: 'xl' },
})

const spinnerRecipe = defineRecipe({
  className: 'spinner',
  base: {
    display: 'block',
    boxSize: '50px',
    borderWidth: '5px',
    borderColor: 'border',
    borderTopColor: 'colorPalette.solid',
    borderRadius: 'full',
    animation: 'spin 1s linear infinite',
    _highContrast: { forcedColorAdjust: 'none', borderColor: 'CanvasText', borderTopColor: 'transparent' },
    _motionReduce: { animation: 'none' },
  },
})

const fieldSlotRecipe = defineSlotRecipe({
  className: 'field',
  slots: ['root', 'label', 'requiredIndicator', 'helperText', 'errorText'],
  base: {
    root: { display: 'flex', flexDirection: 'column', gap: '1.5', w: 'full', minW: 0 },
    label: { textStyle: 'sm', color: 'fg', fontWeight: 'semibold' },
    requiredIndicator: { color: 'fg.error' },
    helperText: { textStyle: 'sm', color: 'fg.muted' },
    errorText: {
      display: 'block',
      // Small enough that the longest error fits in one line, also on a phone.
      fontSize: { base: '0.8125rem', sm: 'sm' },
      lineHeight: 1.25,
      color: 'fg.error',
      fontWeight: 'bold',
    },
  },
})

/** A stock recipe is one line: `checkbox: checkboxSlotRecipe`, from '@chakra-ui/react/theme'. */
export const recipes = {
  button: buttonRecipe,
  heading: headingRecipe,
  // The icons in stock components need this recipe.
  icon: iconRecipe,
  input: inputRecipe,
  spinner: spinnerRecipe,
  textarea: textareaRecipe,
}

export const slotRecipes = { field: fieldSlotRecipe }
