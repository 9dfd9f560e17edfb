import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { DESCRIPTION, TEXT, TITLE } from '../../src/domain/texts.ts'
import { appIsThere, browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'

const PRIVACY = `
import { Container, Heading, Link, Text } from '@chakra-ui/react'
import { Link as RouterLink } from 'react-router-dom'

export function Privacy() {
  return (
    <Container as="main" bg="bg" color="fg" minH="100vh" py="8">
      <Heading as="h1">Privacy</Heading>
      <Text mt="200vh">We keep what you send us.</Text>
      <Link asChild><RouterLink to="/">Back to the start</RouterLink></Link>
    </Container>
  )
}
`

// A second page, as CONTRIBUTING says, and a link to it.
vi.stubEnv('PUBLIC_ORIGIN', 'https://www.example.com')
const { dist, remove } = buildVariant({
  'src/ui/page/privacy.tsx': PRIVACY,
  'src/routes.tsx': [
    ['import type { Page }', "import { Privacy } from './ui/page/privacy.tsx'\nimport type { Page }"],
    [
      '<ComingSoon /> }',
      "<ComingSoon /> },\n  { path: '/privacy', title: 'Privacy', description: 'What we keep.', element: <Privacy /> },",
    ],
  ],
  'src/ui/page/coming-soon.tsx': [
    ['import { TEXT }', "import { Link } from 'react-router-dom'\nimport { TEXT }"],
    ['<LastMessage />', '<Link to="/privacy">Privacy</Link>\n      <LastMessage />'],
  ],
})
vi.unstubAllEnvs()
afterAll(remove)

const site = browseBuiltSite(dist)
let page: Page
let complaints: string[]

const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const content = (name: string) =>
  page.locator(`meta:is([name="${name}"], [property="${name}"])`).getAttribute('content')
const scrolled = () => page.evaluate(() => scrollY)

beforeEach(async () => {
  page = await site.openPage()
  complaints = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
})

test.each([
  ['/', TEXT.heading, TITLE, DESCRIPTION],
  ['/privacy', 'Privacy', 'Privacy', 'What we keep.'],
])(
  '%s stands at its address, prerendered, with its own policy, title and description, also after a reload',
  async (path, name, title, description) => {
    const url = site.origin + path
    const response = await page.goto(url)
    const policy = await response?.headerValue('content-security-policy')
    const pages = JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8'))
    expect(policy).toBe(pages[path].policy)
    expect(await (await fetch(url)).text()).toContain(`>${name}</h1>`)
    expect([await page.title(), await content('og:title')]).toEqual([title, title])
    expect([await content('description'), await content('og:description')]).toEqual([description, description])
    expect(await content('og:url')).toBe(`https://www.example.com${path}`)
    await page.mouse.move(5, 5)
    await appIsThere(page)
    await page.reload()
    await heading(name).waitFor()
    expect([page.url(), complaints]).toEqual([url, []])
  },
)

test('the two policies differ, and any other path leads to the empty one', async () => {
  const [first, second] = Object.values<{ policy: string }>(JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8')))
  expect(first?.policy).not.toBe(second?.policy)
  for (const path of ['/elsewhere', '/privacy/more', '/privacy.html']) {
    await page.goto(site.origin + path)
    expect(page.url()).toBe(`${site.origin}/`)
  }
})

test('a link leads to the top of the page, with its title, and Back leads back', async () => {
  await page.goto(site.origin)
  await page.mouse.move(5, 5)
  await appIsThere(page)
  await page.evaluate(() => Object.assign(window, { same: true }))
  await page.getByRole('link', { name: 'Privacy' }).click()
  await heading('Privacy').waitFor()
  expect([page.url(), await page.title(), await scrolled()]).toEqual([`${site.origin}/privacy`, 'Privacy', 0])
  expect(await content('description')).toBe('What we keep.')
  await page.getByRole('link', { name: 'Back' }).scrollIntoViewIfNeeded()
  expect(await scrolled()).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Back' }).click()
  await heading(TEXT.heading).waitFor()
  expect([page.url(), await page.title(), await scrolled()]).toEqual([`${site.origin}/`, TITLE, 0])
  await page.goBack()
  await heading('Privacy').waitFor()
  await page.goBack()
  await heading(TEXT.heading).waitFor()
  expect(await page.evaluate(() => 'same' in window), 'the app went from page to page').toBe(true)
  expect(complaints).toEqual([])
})

test('a link that is pressed before the app is there leads to the page too, and Back leads back', async () => {
  await page.route('**/assets/*.js', () => {})
  await page.goto(site.origin)
  await page.getByRole('link', { name: 'Privacy' }).click()
  await heading('Privacy').waitFor()
  expect(page.url()).toBe(`${site.origin}/privacy`)
  await page.goBack()
  await heading(TEXT.heading).waitFor()
  expect(page.url()).toBe(`${site.origin}/`)
})
