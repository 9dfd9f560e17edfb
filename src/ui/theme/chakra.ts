import * as chakra from '@chakra-ui/react/theme'

/**
 * Chakra's colour palettes that the page uses besides its own, one a line: each makes the start slower. Chakra's own `bg`,
 * `fg` and `border` name gray, red, orange, green and blue.
 */
const PALETTES: readonly string[] = []

/** Chakra's recipes of the components that the page may use. */
const recipes = {
  button: chakra.buttonRecipe,
  heading: chakra.headingRecipe,
  // The icons in stock components need this recipe.
  icon: chakra.iconRecipe,
  input: chakra.inputRecipe,
  spinner: chakra.spinnerRecipe,
  textarea: chakra.textareaRecipe,
}

const slotRecipes = { field: chakra.fieldSlotRecipe }

/** Whether Chakra has a palette of this name, but the page does not. */
export const lacksPalette = (name: string): boolean =>
  name in chakra.tokens.colors && name in chakra.semanticTokens.colors && !PALETTES.includes(name)

/** Chakra's own configuration with the recipes above, and with the palettes above or with all of Chakra's. */
export function chakraConfig(allPalettes: boolean) {
  const pick = <Color>(colors: Record<string, Color>) =>
    Object.fromEntries(Object.entries(colors).filter(([name]) => allPalettes || !lacksPalette(name)))
  return {
    // The variables that rings and filters are made of.
    globalCss: { '*': { ...chakra.globalCss['*'], fontFeatureSettings: undefined } },
    theme: {
      tokens: { ...chakra.tokens, colors: pick(chakra.tokens.colors) },
      semanticTokens: { ...chakra.semanticTokens, colors: pick(chakra.semanticTokens.colors) },
      textStyles: chakra.textStyles,
      layerStyles: chakra.layerStyles,
      animationStyles: chakra.animationStyles,
      keyframes: chakra.keyframes,
      recipes,
      slotRecipes,
    },
  }
}
