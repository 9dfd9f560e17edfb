import type { SystemContext } from '@chakra-ui/react'
import * as chakra from '@chakra-ui/react/theme'
import * as React from 'react'
import { lacksPalette } from './chakra.ts'
import { semanticTokens } from './tokens.ts'

const FILE = 'src/ui/theme/chakra.ts'

/**
 * For development and prerendering: a recipe or palette of Chakra that this page lacks fails with the line to add,
 * instead of a component without styles. `system` has all palettes.
 */
export function demand(system: SystemContext): SystemContext {
  const paletteOf = palettesOfTokens(system)

  /** Returns `styles`, or throws if they refer to a palette that the page lacks. */
  function demandPalettes<Styles>(styles: Styles): Styles {
    for (const [token, group, name = ''] of JSON.stringify(styles).matchAll(/(colors|shadows)[-.](\w+)[\w.-]*/g)) {
      const isMissing = group === 'colors' && lacksPalette(name)
      const palette = isMissing ? name : paletteOf.get(token.replaceAll('.', '-'))
      if (palette) throw fault(`The palette ${palette} is missing: add '${palette}' to PALETTES in ${FILE}`)
    }
    return styles
  }

  demandPalettes([system.getGlobalCss(), semanticTokens])
  // Some components have no recipe in Chakra either.
  const lacksRecipe = (key: string) => key in chakra.recipes && !system.isRecipe(key)
  const lacksSlotRecipe = (key: string) => key in chakra.slotRecipes && !system.isSlotRecipe(key)
  return {
    ...system,
    css: (...styles) => demandPalettes(system.css(...styles)),
    token: Object.assign(
      (...path: Parameters<typeof system.token>) => system.token(...demandPalettes(path)),
      system.token,
    ),
    getRecipeFn: (key) => refusing(system.getRecipeFn(key), lacksRecipe(key) && `${key}Recipe`, key, 'recipes'),
    getSlotRecipeFn: (key) =>
      refusing(system.getSlotRecipeFn(key), lacksSlotRecipe(key) && `${key}SlotRecipe`, key, 'slotRecipes'),
  }
}

/** The missing palettes, by the names of the tokens that are made of them: red for 'colors-bg-error'. */
const palettesOfTokens = ({ tokens }: SystemContext): ReadonlyMap<string, string> =>
  new Map(
    tokens.allTokens.flatMap(({ name, extensions }) => {
      const [, palette = ''] = /\{colors\.(\w+)/.exec(JSON.stringify(extensions.conditions ?? '')) ?? []
      return lacksPalette(palette) ? [[name.replaceAll('.', '-'), palette] as const] : []
    }),
  )

/**
 * Makes a missing recipe one that throws when it is applied. A look-up must not throw, because parts of other components
 * look recipes up.
 */
function refusing(recipe: object, missing: string | false, key: string, group: string): object {
  if (!missing) return recipe
  const line = `${key}: chakra.${missing in chakra ? missing : `${group}.${key}`}`
  const refuse = () => {
    throw fault(`${key.charAt(0).toUpperCase()}${key.slice(1)} needs its recipe: add ${line} to ${group} in ${FILE}`)
  }
  return Object.assign(refuse, recipe)
}

/** An error whose stack names the line of the component, which React knows in development, and not a line here. */
function fault(message: string): Error {
  return Object.assign(new Error(message), { stack: message + (React.captureOwnerStack?.() ?? '') })
}
