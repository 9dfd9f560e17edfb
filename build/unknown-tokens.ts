import { globSync, readFileSync } from 'node:fs'
import { defaultSystem, type SystemContext, type SystemStyleObject } from '@chakra-ui/react'
import { parseSync } from 'vite'

/** A value of a style property, or of a variant of the component `tag`. */
type Use = { readonly tag: string; readonly prop: string; readonly value: string; readonly where: string }

/**
 * Throws with file and line where a component, or with the property where a recipe, uses a token, text style or variant of Chakra's
 * own theme that this system lacks. TypeScript knows Chakra's own, and a browser drops such a style in silence.
 */
export function refuseUnknownTokens(system: SystemContext, folder = 'src/ui'): void {
  const { recipes = {}, slotRecipes = {} } = system._config.theme ?? {}
  const uses = [
    ...globSync(`${folder}/**/*.{ts,tsx}`).flatMap(usesInFile),
    ...usesIn({ ...recipes, ...slotRecipes }, 'recipes of src/ui/theme'),
  ]
  const unknown = uses.filter((use) => isKnown(defaultSystem, use) && !isKnown(system, use))
  if (unknown.length === 0) return
  const lines = unknown.map(
    ({ where, prop, value }) => `${where}: ${prop} "${value}" is in Chakra's theme but not in ours.`,
  )
  throw new Error(`${[...new Set(lines)].join('\n')}\nAdd it in src/ui/theme, or use another.`)
}

function isKnown(system: SystemContext, { tag, prop, value }: Use): boolean {
  const recipe = tag.toLowerCase()
  const { variants } = system.isRecipe(recipe) ? system.getRecipe(recipe) : (system.getSlotRecipe(recipe) ?? {})
  if (variants?.[prop]?.[value]) return true
  if (!isStyle(prop)) return false
  const style: SystemStyleObject = {}
  Object.assign(style, { [prop]: value })
  const css = JSON.stringify(system.css(style))
  // What a system does not know it leaves out, or as it was: whole, in a mix for 'token/60', or as a reference with its
  // dot escaped.
  const traces = [JSON.stringify(value), `srgb, ${value.split('/')[0]} `, '\\\\.']
  return css !== '{}' && !traces.some((trace) => css.includes(trace))
}

const isStyle = (key: string) =>
  defaultSystem.isValidProperty(key) && !defaultSystem.conditions.has(key) && key !== 'css'

/** Every text in an object of styles, by the property that it is a value of, also below breakpoints and conditions. */
function usesIn(styles: unknown, where: string, prop = ''): Use[] {
  if (typeof styles === 'string') return [{ tag: '', prop, value: styles, where }]
  if (typeof styles !== 'object' || styles === null) return []
  return Object.entries(styles).flatMap(([key, value]) => usesIn(value, where, isStyle(key) ? key : prop))
}

/** Nodes of many types (ESTree), of which these parts are read. */
type Node = { readonly type: string; readonly [part: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Of `Field.Root` it is 'Field'. */
const nameOf = (node: unknown): string =>
  isNode(node) ? (isNode(node.object) ? nameOf(node.object) : String(node.name ?? node.value)) : ''

function usesInFile(file: string): Use[] {
  const source = readFileSync(file, 'utf8')

  function usesInNode(node: unknown, tag = '', prop = ''): Use[] {
    if (Array.isArray(node)) return node.flatMap((each) => usesInNode(each, tag, prop))
    if (!isNode(node)) return []
    const { type, name, key, value } = node
    const line = source.slice(0, Number(node.start)).split('\n').length
    const own = nameOf(isNode(name) ? name : key)
    if (type === 'Literal' && ['string', 'number'].includes(typeof value))
      return [{ tag, prop, value: String(value), where: `${file}:${line}` }]
    // An element of HTML or SVG has attributes of its own.
    if (type === 'JSXOpeningElement') return /^[a-z]/.test(own) ? [] : usesInNode(node.attributes, own)
    if (type === 'JSXAttribute') return usesInNode(value, tag, own)
    if (type === 'Property') return usesInNode(value, tag, isStyle(own) ? own : prop)
    return Object.values(node).flatMap((part) => usesInNode(part, tag, prop))
  }

  return usesInNode(parseSync(file, source).program)
}
