import { createHash } from 'node:crypto'
import { Accordion, ChakraProvider, Checkbox, createSystem, defaultBaseConfig, defaultSystem } from '@chakra-ui/react'
import { checkboxSlotRecipe } from '@chakra-ui/react/theme'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { withoutUnused } from '../../src/critical-css.ts'
import { demandRecipes } from '../../src/ui/theme/demand-recipes.ts'
import { namedIn } from '../../tools/build/chakra-theme.ts'
import { connectOriginsOf, contentPolicy } from '../../tools/build/content-policy.ts'

test('of the theme what a source names is built, with what that refers to, and nothing else', () => {
  const source = `<Box color="red.500" colorPalette="teal" bg="colorPalette.solid" mt="-4" w="1/2" boxShadow="lg" textStyle="2xl"
    layerStyle="fill.surface" animation="bounce" />`
  const theme = namedIn(source)
  const styles = { color: 'red.500', mt: '-4', w: '1/2', boxShadow: 'lg', textStyle: '2xl', layerStyle: 'fill.surface' }
  expect(createSystem(defaultBaseConfig, { theme }).css(styles)).toEqual(defaultSystem.css(styles))
  expect(theme).toMatchObject({
    tokens: { colors: { teal: { 600: {} } }, animations: { bounce: {} } },
    semanticTokens: { colors: { teal: { solid: { value: { base: '{colors.teal.600}' } } } } },
    keyframes: { bounce: {} },
  })
  expect(JSON.stringify(theme)).not.toMatch(/purple|orange|spin|9xl|indicator/)
})

test('of the styles in the HTML those variables and keyframes are left out that nothing uses', () => {
  const globals = ['a', 'b', 'c'].map((name) => `@keyframes ${name}{from{top:0;}to{top:1px;}}`).join('')
  const variables = '--chakra-a:var(--chakra-b);--chakra-b:"a;b";--chakra-c:var(--chakra-d);--chakra-d:1px;'
  const rest = 'p{top:var(--chakra-a);animation:a 1s;}'
  expect(withoutUnused(`${globals}html{${variables}--own:b 1s;}`, rest)).toBe(
    '@keyframes a{from{top:0;}to{top:1px;}}@keyframes b{from{top:0;}to{top:1px;}}html{--chakra-a:var(--chakra-b);--chakra-b:"a;b";--own:b 1s;}',
  )
})

test('a component without its recipe fails with the line to add; one with it stands', () => {
  const theme = { slotRecipes: { checkbox: checkboxSlotRecipe } }
  const value = demandRecipes(createSystem(defaultBaseConfig, { theme }))
  const render = (children: ReactNode) => renderToString(createElement(ChakraProvider, { value, children }))
  expect(() => render(createElement(Accordion.Root))).toThrow(
    'Accordion needs its recipe: add accordion: accordionSlotRecipe to src/ui/theme/recipes.ts',
  )
  expect(render(createElement(Checkbox.Root, null, createElement(Checkbox.Control)))).toContain(
    'chakra-checkbox__control',
  )
})

test('an app that imports a chunk statically stops the build', async () => {
  const output = { codeSplitting: { groups: [{ name: 'react', test: /react-dom/, priority: 1 }] } }
  const built = build({ logLevel: 'silent', build: { write: false, rolldownOptions: { output } } })
  await expect(built).rejects.toThrow(/must be one chunk, but imports .*assets\/react-.* statically: .* by lazy\(/)
})

test('a page may run and show what it was built of, call its own origin and those of CONNECT_ORIGINS, and nothing else', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const html = '<script>a</script><style>b</style><style data-x>c</style><p style="d">'
  const policy = contentPolicy(
    html,
    connectOriginsOf({ CONNECT_ORIGINS: 'https://api.example.com  http://localhost:4000' }),
  )
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'self' ${hash('a')}`,
    `style-src 'self' ${hash('b')} ${hash('c')} ${hash('')}`,
    `style-src-attr 'unsafe-hashes' ${hash('d')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self' https://api.example.com http://localhost:4000",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ])
  const bare = contentPolicy('<p>', connectOriginsOf({})).split('; ')
  expect(bare).toEqual(expect.arrayContaining(["style-src-attr 'none'", "connect-src 'self'"]))
})

test.each(['*', 'api.example.com', 'https://a.example;', 'https://*.example'])(
  'CONNECT_ORIGINS %s stops the build with one line',
  (CONNECT_ORIGINS) => {
    const refused = expect.objectContaining({ stack: expect.stringMatching(/^CONNECT_ORIGINS must be .+$/) })
    expect(() => connectOriginsOf({ CONNECT_ORIGINS })).toThrow(refused)
  },
)
