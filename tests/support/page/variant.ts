import { readFileSync } from 'node:fs'

const read = (file: string) => readFileSync(file, 'utf8')

/** Other colours that are as light, and not one of ours but for greys. */
export const otherColour = (text: string) => text.replace(/#(..)(....)\b/g, '#$2$1')

const OTHER_PAGE = `
  import { Box, Heading, Link } from '@chakra-ui/react'
  import { Link as RouterLink } from 'react-router-dom'
  import type { Page } from './app.tsx'
  const link = <Link asChild><RouterLink to="/">1</RouterLink></Link>
  const element = <Box as="main" pt="200vh"><Heading as="h1">2</Heading>{link}</Box>
  export const otherPage: Page = { path: '/a/page', title: '2', description: '3', element }`
const BOX =
  '<Checkbox.Root><Checkbox.HiddenInput name="box" /><Checkbox.Control /><Checkbox.Label>4</Checkbox.Label></Checkbox.Root>'

/** A file of ours with something more after each of these places. */
const adding = (file: string, more: Record<string, string>) => ({
  [file]: Object.entries(more).map(([place, text]) => [place, place + text] as const),
})

/** Another brand, texts twice as long, another page, and Chakra's own Checkbox in a form: each as CONTRIBUTING says. */
export const editsOfVariant = (provider: string, texts: object) => ({
  'src/domain/provider.ts': `export const PROVIDER: string = ${JSON.stringify(provider)}`,
  'src/domain/own.ts': read('src/domain/texts.ts'),
  'src/domain/longer.ts': read('tests/support/page/longer.ts'),
  'src/domain/texts.ts': [
    "import { longer } from './longer.ts'",
    "import * as own from './own.ts'",
    "export const LANG: string = 'ar'",
    "export const DIR: 'ltr' | 'rtl' = 'rtl'",
    ...Object.keys(texts).map((name) => (/LANG|DIR/.test(name) ? '' : `export const ${name} = longer(own.${name})`)),
  ].join('\n'),
  'src/ui/theme/brand.ts': otherColour(read('src/ui/theme/brand.ts'))
    .replace('COLORS = {', "$& red: { solid: ['#b00000', '#b00000'] },")
    .replace('border: {', "$& emphasized: ['#777777', '#777777'],"),
  'src/ui/page/other.tsx': OTHER_PAGE,
  ...adding('src/routes.tsx', {
    "import type { Page } from './ui/page/app.tsx'": "\nimport { otherPage } from './ui/page/other.tsx'",
    'PAGES: readonly Page[] = [': 'otherPage, ',
  }),
  ...adding('src/ui/theme/tokens.ts', {
    'radii: {': "l1: { value: '4px' },",
    'cursor: {': "checkbox: { value: 'pointer' },",
  }),
  ...adding('src/ui/theme/recipes.ts', {
    "from '@chakra-ui/react'": "\nimport { checkboxSlotRecipe } from '@chakra-ui/react/theme'",
    'slotRecipes = {': 'checkbox: checkboxSlotRecipe,',
  }),
  ...adding('src/ui/contact/contact-form.tsx', {
    "from '@chakra-ui/react'": "\nimport { Checkbox } from '@chakra-ui/react'",
    '<ContactFormResult state={state} />': BOX,
  }),
})
