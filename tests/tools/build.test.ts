import { createHash } from 'node:crypto'
import { Accordion, Box, ChakraProvider } from '@chakra-ui/react'
import { createElement, type ReactNode, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { withoutUnused } from '../../src/critical-css.ts'
import { prerenderPages } from '../../src/prerender.tsx'
import { PAGES } from '../../src/routes.tsx'
import type { Page } from '../../src/ui/page/app.tsx'
import { system } from '../../src/ui/theme/system.ts'
import { connectOriginsOf, contentPolicy } from '../../tools/build/content-policy.ts'

test('the styles in the HTML contain no unused variables and no unused keyframes', () => {
  const keyframes = (name: string) => `@keyframes ${name}{from{top:0;}to{top:1px;}}`
  const used = '--chakra-a:var(--chakra-b);--chakra-b:"a;b";--own:b 1s;'
  const unused = '--chakra-c:var(--chakra-d);--chakra-d:1px;'
  const otherStyles = 'p{top:var(--chakra-a);animation:a 1s,var(--own);}'
  const globals = `${keyframes('a')}${keyframes('b')}${keyframes('c')}html{${unused}${used}}`
  expect(withoutUnused(globals, otherStyles)).toBe(`${keyframes('a')}${keyframes('b')}html{${used}}`)
})

const rendered = (children: ReactNode) => renderToString(createElement(ChakraProvider, { value: system, children }))

test('a component without its recipe fails with the line to add', () => {
  expect(() => rendered(createElement(Accordion.Root))).toThrow(
    'Accordion needs its recipe: add accordion: chakra.accordionSlotRecipe to slotRecipes in src/ui/theme/chakra.ts',
  )
})

test.each([
  ['the palette purple', 'purple', { colorPalette: 'purple' }],
  ['a shadow in purple', 'purple', { css: { _hover: { boxShadow: '0 0 1px {colors.purple.500}' } } }],
  ['a token made of red', 'red', { bg: 'bg.error' }],
  ['a shadow made of gray', 'gray', { boxShadow: 'lg' }],
])('a style without its palette fails with the line to add: %s', (_, palette, props) => {
  expect(() => rendered(createElement(Box, props))).toThrow(
    `The palette ${palette} is missing: add '${palette}' to PALETTES in src/ui/theme/chakra.ts`,
  )
})

test('the policy of a page allows only its own scripts, styles and files', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = contentPolicy('<script>a</script><style>b</style><style data-x>c</style><p style="d">')
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'self' ${hash('a')}`,
    `style-src 'self' ${hash('b')} ${hash('c')} ${hash('')}`,
    `style-src-attr 'unsafe-hashes' ${hash('d')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
})

test('a component that throws stops the build, even inside a Suspense', async () => {
  const Faulty = () => expect.unreachable('the faulty component')
  const element = createElement(Suspense, {}, createElement(Faulty))
  const pages = PAGES as Page[]
  pages.push({ path: '/faulty', title: '', description: '', element })
  onTestFinished(() => void pages.pop())
  await expect(prerenderPages()).rejects.toThrow('the faulty component')
})

test.each(['https://a.example *', 'https://a.example;', 'https://*.example'])(
  'CONNECT_ORIGINS %s stops the build with one line',
  (CONNECT_ORIGINS) => {
    const refused = expect.objectContaining({ stack: expect.stringMatching(/^CONNECT_ORIGINS must be .+$/) })
    expect(() => connectOriginsOf({ CONNECT_ORIGINS })).toThrow(refused)
  },
)
