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

/** Another brand, texts twice as long, and another page: each as CONTRIBUTING says. */
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
  'src/ui/theme/brand.ts': otherColour(read('src/ui/theme/brand.ts')),
  'src/ui/page/other.tsx': OTHER_PAGE,
  'src/routes.tsx': [
    ['import type { Page }', "import { otherPage } from './ui/page/other.tsx'\nimport type { Page }"],
    ['PAGES: readonly Page[] = [', 'PAGES: readonly Page[] = [otherPage, '],
  ] as const,
})
