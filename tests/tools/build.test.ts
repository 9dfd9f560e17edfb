import { createHash } from 'node:crypto'
import { Accordion, Box, Button, ChakraProvider, Heading, Input } from '@chakra-ui/react'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { withoutUnused } from '../../src/critical-css.ts'
import { system } from '../../src/ui/theme/system.ts'
import { connectOriginsOf, contentPolicy } from '../../tools/build/content-policy.ts'

test('the styles in the HTML hold no variable and no keyframes that nothing uses', () => {
  const globals = ['a', 'b', 'c'].map((name) => `@keyframes ${name}{from{top:0;}to{top:1px;}}`).join('')
  const variables = '--chakra-a:var(--chakra-b);--chakra-b:"a;b";--chakra-c:var(--chakra-d);--chakra-d:1px;'
  const rest = 'p{top:var(--chakra-a);animation:a 1s,var(--own);}'
  expect(withoutUnused(`${globals}html{${variables}--own:b 1s;--unused:1;}`, rest)).toBe(
    '@keyframes a{from{top:0;}to{top:1px;}}@keyframes b{from{top:0;}to{top:1px;}}html{--chakra-a:var(--chakra-b);--chakra-b:"a;b";--own:b 1s;}',
  )
})

const rendered = (children: ReactNode) => renderToString(createElement(ChakraProvider, { value: system, children }))

test('a component without its recipe fails with the line to add', () => {
  expect(() => rendered(createElement(Accordion.Root))).toThrow(
    'Accordion needs its recipe: add accordion: chakra.accordionSlotRecipe to slotRecipes in src/ui/theme/chakra.ts',
  )
})

test.each([
  ['purple', { colorPalette: 'purple' }],
  ['purple', { color: 'purple.500' }],
  ['purple', { css: { _hover: { boxShadow: '0 0 1px {colors.purple.500}' } } }],
  ['red', { bg: 'bg.error' }],
  ['gray', { boxShadow: 'lg' }],
  ['gray', { color: 'fg.inverted' }],
])('a style of the missing palette %s fails with the line to add: %j', (palette, props) => {
  expect(() => rendered(createElement(Box, props))).toThrow(
    `The palette ${palette} is missing: add '${palette}' to PALETTES in src/ui/theme/chakra.ts`,
  )
})

test.each<[string, ReactNode, style: string]>([
  [
    'variant of a button',
    createElement(Button, { variant: 'subtle', colorPalette: 'brand' }),
    'background:var(--chakra-colors-color-palette-subtle)',
  ],
  ['waiting button', createElement(Button, { loading: true }), 'chakra-spinner'],
  ['size of a heading', createElement(Heading, { size: '3xl' }), 'font-size:var(--chakra-font-sizes-3xl)'],
  [
    'variant of a field',
    createElement(Input, { variant: 'flushed' }),
    'border-bottom-color:var(--chakra-colors-border)',
  ],
])("a stock %s is drawn as Chakra's documentation says", (_, stock, style) => {
  expect(rendered(stock)).toContain(style)
})

test('an app that imports a chunk statically stops the build', async () => {
  const output = { codeSplitting: { groups: [{ name: 'react', test: /react-dom/, priority: 1 }] } }
  const built = build({ logLevel: 'silent', build: { write: false, rolldownOptions: { output } } })
  await expect(built).rejects.toThrow(/must be one chunk, but imports .*assets\/react-.* statically: .* by lazy\(/)
})

test('a page may run and show what it was built of, and nothing else', () => {
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

test('a page without style attributes may have none', () => {
  expect(contentPolicy('<p>').split('; ')).toContain("style-src-attr 'none'")
})

test('a page may call the origins of CONNECT_ORIGINS', () => {
  const connect = connectOriginsOf({ CONNECT_ORIGINS: 'https://api.example.com  http://localhost:4000' })
  const call = "connect-src 'self' https://api.example.com http://localhost:4000"
  expect(contentPolicy('<p>', connect).split('; ')).toContain(call)
})

test.each(['*', 'api.example.com', 'https://a.example;', 'https://*.example'])(
  'CONNECT_ORIGINS %s stops the build with one line',
  (CONNECT_ORIGINS) => {
    const refused = expect.objectContaining({ stack: expect.stringMatching(/^CONNECT_ORIGINS must be .+$/) })
    expect(() => connectOriginsOf({ CONNECT_ORIGINS })).toThrow(refused)
  },
)
