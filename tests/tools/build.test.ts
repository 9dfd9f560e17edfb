import { createHash } from 'node:crypto'
import { createElement, Suspense } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { prerenderPages } from '../../src/prerender.tsx'
import { PAGES } from '../../src/routes.tsx'
import type { Page } from '../../src/ui/page/app.tsx'
import { contentPolicy } from '../../tools/build/content-policy.ts'
import { readBuildSettings } from '../../tools/build/settings.ts'

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

test('SCRIPT_ORIGINS are allowed without Trusted Types, and calls to CONNECT_ORIGINS', () => {
  const SCRIPT_ORIGINS = 'https://a.example http://b.example:81'
  const policy = contentPolicy('<p>', readBuildSettings({ SCRIPT_ORIGINS, CONNECT_ORIGINS: 'https://c.example' }))
  expect(
    policy.split('; ').filter((directive) => directive.includes('example') || directive.includes('types')),
  ).toEqual([
    expect.stringMatching(/^script-src 'self' .*https:\/\/a.example http:\/\/b.example:81$/),
    "img-src 'self' data: https://a.example http://b.example:81",
    "connect-src 'self' https://c.example https://a.example http://b.example:81",
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

test('a wrong setting of the build stops the build; one of the server does not', () => {
  const refused = expect.objectContaining({ stack: expect.stringMatching('^PRIVACY_URL must be .+$') })
  expect(() => readBuildSettings({ PRIVACY_URL: 'www.example.com' })).toThrow(refused)
  expect(readBuildSettings({ PORT: 'x', PUBLIC_ORIGIN: 'http://[::1]:8080' }).PUBLIC_ORIGIN).toBe('http://[::1]:8080')
})
