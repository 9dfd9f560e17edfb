import type { SystemContext } from '@chakra-ui/react'
import * as chakra from '@chakra-ui/react/theme'

/**
 * For development and prerendering: a component whose recipe is missing fails with the line to add, instead of being
 * rendered without a look.
 */
export function demandRecipes(system: SystemContext): SystemContext {
  // Some components have no recipe in Chakra either.
  const lacksRecipe = (key: string) => key in chakra.recipes && !system.isRecipe(key)
  const lacksSlotRecipe = (key: string) => key in chakra.slotRecipes && !system.isSlotRecipe(key)
  return {
    ...system,
    getRecipeFn: (key) => refusing(system.getRecipeFn(key), lacksRecipe(key) && `${key}Recipe`, key, 'recipes'),
    getSlotRecipeFn: (key) =>
      refusing(system.getSlotRecipeFn(key), lacksSlotRecipe(key) && `${key}SlotRecipe`, key, 'slotRecipes'),
  }
}

/**
 * A recipe that throws when it is applied, if it is missing. Looking it up is no fault: other components' parts do so.
 */
function refusing(recipe: object, missing: string | false, key: string, group: string): object {
  if (!missing) return recipe
  const line = `${key}: ${missing in chakra ? missing : `${group}.${key}`}`
  const message = `${key.charAt(0).toUpperCase()}${key.slice(1)} needs its recipe: add ${line} to src/ui/theme/recipes.ts, among its ${group}, from '@chakra-ui/react/theme'.`
  return Object.assign(() => {
    import.meta.hot?.send('chakra:recipe-missing', message)
    // The stack would not name the line of the component, so the message replaces it.
    throw Object.assign(new Error(message), { stack: message })
  }, recipe)
}
