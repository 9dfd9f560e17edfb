import { createHash } from 'node:crypto'
import { createElement, Suspense } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { prerenderPages } from '../../src/prerender.tsx'
import { PAGES } from '../../src/routes.tsx'
import type { Page } from '../../src/ui/page/app.tsx'
import { contentPolicy } from '../../tools/build/content-policy.ts'
import { withoutUnused } from '../../tools/build/critical-css.ts'
import { otherOriginsOf, publicOriginOf } from '../../tools/build/settings.ts'

test('the styles in the HTML contain no unused variables and no unused keyframes', async () => {
  const keyframes = (name: string) => `@keyframes ${name}{from{top:0;}to{top:1px;}}`
  const used = '--chakra-a:var(--chakra-b);--chakra-b:"a;b";--own:b 1s;'
  const unused = '--chakra-c:var(--chakra-d);--chakra-d:1px;'
  const rules = 'p{top:var(--chakra-a);animation:a 1s,var(--own, none);}'
  const globals = `${keyframes('a')}${keyframes('b')}${keyframes('c')}html{${unused}${used}}`
  expect(await withoutUnused(globals, rules)).toBe(`${keyframes('a')}${keyframes('b')}html{${used}}`)
})

test('the policy of a page allows only its own scripts, styles and files', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = contentPolicy('<script>a\r\na</script><style>b</style><STYLE data-x>c</STYLE><p style="d">')
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'self' ${hash('a\na')}`,
    `style-src 'self' ${hash('b')} ${hash('c')} ${hash('')}`,
    "style-src-attr 'unsafe-inline'",
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

test('with SCRIPT_ORIGINS scripts, pictures and calls of these hosts are allowed, without Trusted Types', () => {
  const policy = contentPolicy('<p>', otherOriginsOf({ SCRIPT_ORIGINS: 'https://a.example http://b.example:81' }))
  expect(
    policy.split('; ').filter((directive) => directive.includes('example') || directive.includes('types')),
  ).toEqual([
    expect.stringMatching(/^script-src 'self' .*https:\/\/a.example http:\/\/b.example:81$/),
    "img-src 'self' data: https://a.example http://b.example:81",
    "connect-src 'self' https://a.example http://b.example:81",
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

test('wrong CONNECT_ORIGINS stop the build with one line', () => {
  const refused = expect.objectContaining({ stack: expect.stringMatching(/^CONNECT_ORIGINS must be .+$/) })
  expect(() => otherOriginsOf({ CONNECT_ORIGINS: 'https://a.example *' })).toThrow(refused)
})

test('PUBLIC_ORIGIN is written as browsers write an origin, which may have a port', () => {
  expect(publicOriginOf({ PUBLIC_ORIGIN: 'http://[::1]:8080' })).toBe('http://[::1]:8080')
  expect(() => publicOriginOf({ PUBLIC_ORIGIN: 'https://www.example.com:443' })).toThrow('PUBLIC_ORIGIN must be')
})
