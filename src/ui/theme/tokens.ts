import { defineSemanticTokens, defineTextStyles, defineTokens } from '@chakra-ui/react'
import { COLORS } from './brand.ts'

/** The steps of Chakra's spacing scale: '2.5' is 0.625rem. */
const STEPS = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16]
const scale = Object.fromEntries(STEPS.map((step) => [step, { value: `${step / 4}rem` }]))

/** Chakra's names, in our measures. */
export const tokens = defineTokens({
  colors: { white: { value: '#fff' }, black: { value: '#000' }, transparent: { value: 'transparent' } },
  spacing: scale,
  // Stock controls of the usual size, which is '10', are as high as ours.
  sizes: { ...scale, 10: { value: '2.75rem' }, full: { value: '100%' } },
  radii: {
    l2: { value: '0.625rem' },
    l3: { value: '1rem' },
    full: { value: '9999px' },
  },
  fontSizes: {
    xs: { value: '0.75rem' },
    sm: { value: '0.875rem' },
    md: { value: '1rem' },
    lg: { value: '1.125rem' },
    xl: { value: '1.25rem' },
    '2xl': { value: '1.5rem' },
  },
  fontWeights: { medium: { value: '400' }, semibold: { value: '700' }, bold: { value: '700' } },
  durations: { moderate: { value: '150ms' }, slowest: { value: '1s' } },
  cursor: { button: { value: 'pointer' }, disabled: { value: 'default' } },
})

export const textStyles = defineTextStyles({
  xs: { value: { fontSize: 'xs', lineHeight: 1.3 } },
  sm: { value: { fontSize: 'sm', lineHeight: 1.3 } },
  md: { value: { fontSize: 'md', lineHeight: 1.5 } },
  lg: { value: { fontSize: 'lg', lineHeight: 1.5 } },
})

export const semanticTokens = defineSemanticTokens({
  colors: Object.fromEntries(
    Object.entries(COLORS).map(([group, colors]) => [
      group,
      Object.fromEntries(
        Object.entries(colors).map(([name, [light, dark]]) => [
          name,
          { value: light === dark ? light : { base: light, _dark: dark } },
        ]),
      ),
    ]),
  ),
})
