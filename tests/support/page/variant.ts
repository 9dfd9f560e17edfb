import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import * as OWN from '../../../src/domain/texts.ts'
import { buildPage } from './build-the-page.ts'

const SOURCES = [
  'src',
  'tools/build',
  'server',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  'tsconfig.json',
]

const read = (file: string) => readFileSync(file, 'utf8')

/** Other colours that are as light, and not one of ours but for greys. */
export const otherColour = (text: string) => text.replace(/#(..)(....)((?:..)?)\b/g, '#$2$1$3')

/** These texts twice as long, in Arabic letters, also in what their functions make. Stands by itself: it is built in. */
export function longer<Texts>(texts: Texts): Texts {
  const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'
  const made =
    typeof texts === 'string'
      ? texts.repeat(2).replace(/[a-z]/gi, (letter) => letters[Number.parseInt(letter, 36) - 10] ?? '')
      : typeof texts === 'function'
        ? (...given: unknown[]) => longer(texts(...given))
        : Object.fromEntries(Object.entries(texts ?? {}).map(([name, text]) => [name, longer(text)]))
  // It is of the same shape.
  return made as Texts
}

/** A page with a link to a path that has none, and two buttons that count their presses, one in a chunk of its own. */
const OTHER_PAGE = `
  import { Box, Heading, Link } from '@chakra-ui/react'
  import { lazy, Suspense, useState } from 'react'
  import { Link as RouterLink } from 'react-router-dom'
  import type { Page } from './app.tsx'
  export function Counter({ name }) {
    const [count, setCount] = useState(0)
    return <button type="button" onClick={() => setCount((count) => count + 1)}>{name} {count}</button>
  }
  const Later = lazy(() => import('./later.tsx'))
  const element = (
    <Box as="main" pt="200vh">
      <Heading as="h1">other page</Heading>
      <Link asChild><RouterLink to="/no/page?x=%2F">away</RouterLink></Link>
      <Counter name="now" />
      <Suspense><Later /></Suspense>
    </Box>
  )
  export const otherPage: Page = { path: '/a/page', title: '</title >&amp;', description: '"3"', element }`

const LATER = `
  import { Counter } from './other.tsx'
  export default () => <Counter name="later" />`

/** The links that the law asks for: one of another site, one of this. */
export const LINKS = [
  { text: 'سياسة الخصوصية', href: 'https://example.com/privacy' },
  { text: 'بيانات الناشر', href: '/a/page' },
]

/** Another brand, texts twice as long, and another page: each as CONTRIBUTING says. */
const editsOf = (provider: string) => ({
  'src/domain/provider.ts': `export const PROVIDER: string = ${JSON.stringify(provider)}`,
  'src/domain/own.ts': read('src/domain/texts.ts'),
  'src/domain/longer.ts': `export ${longer}`,
  'src/domain/texts.ts': [
    "import { longer } from './longer.ts'",
    "import * as own from './own.ts'",
    "export const LANG: string = 'ar'",
    "export const DIR: 'ltr' | 'rtl' = 'rtl'",
    `export const LINKS = ${JSON.stringify(LINKS)}`,
    ...Object.keys(OWN)
      .filter((name) => !/LANG|DIR|LINKS/.test(name))
      .map((name) => `export const ${name} = longer(own.${name})`),
  ].join('\n'),
  'src/ui/theme/brand.ts': otherColour(read('src/ui/theme/brand.ts')),
  'src/ui/page/other.tsx': OTHER_PAGE,
  'src/ui/page/later.tsx': LATER,
  'src/ui/theme/chakra.ts': read('src/ui/theme/chakra.ts').replace(
    'recipes = {',
    'recipes = { link: chakra.linkRecipe,',
  ),
  'src/routes.tsx': read('src/routes.tsx')
    .replace('import type', "import { otherPage } from './ui/page/other.tsx'\nimport type")
    .replace('readonly Page[] = [', 'readonly Page[] = [otherPage, '),
})

/** Has a copy of the sources with these edits built, by these settings, before the tests of a file. Returns its `dist`. */
export function buildVariant(provider: string, settings: NodeJS.ProcessEnv): string {
  const folder = mkdtempSync(join(tmpdir(), 'variant-'))
  beforeAll(() => {
    for (const source of SOURCES) cpSync(source, join(folder, source), { recursive: true })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    for (const [file, text] of Object.entries(editsOf(provider))) writeFileSync(join(folder, file), text)
    buildPage(folder, 'dist', settings)
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  return join(folder, 'dist')
}
