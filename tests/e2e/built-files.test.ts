import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { escapeHtml } from '../../server/http/html.ts'
import { CARD_TITLE, DESCRIPTION, TITLE } from '../../src/domain/texts.ts'
import { answerWith, localServer } from '../support/local-server.ts'
import { sharedBrowser } from '../support/page/browser.ts'
import { DIST, SETTINGS } from '../support/page/build-the-page.ts'
import { buildTestApp } from '../support/server/build-test-app.ts'

test.each(['br', 'gz'])('the build also has every page, script and stylesheet as %s', (ending) => {
  const files = globSync(`${DIST}/**/*.{html,js,css}`)
  expect(files.length).toBeGreaterThan(1)
  expect(files.filter((file) => !existsSync(`${file}.${ending}`))).toEqual([])
})

test('the head of the page has its texts, and PUBLIC_ORIGIN', () => {
  const head = readFileSync(`${DIST}/index.html`, 'utf8')
  const contents = [
    ...head.matchAll(/<meta (?:name|property)="(?:description|og:(?:title|url|image))" content="(.*?)"/g),
  ]
  const origin = SETTINGS.PUBLIC_ORIGIN
  expect(contents.map(([, content]) => content)).toEqual(
    [DESCRIPTION, CARD_TITLE, `${origin}/`, `${origin}/card.jpg`].map(escapeHtml),
  )
  expect(head).toContain(`<title>${escapeHtml(TITLE)}</title>`)
})

test('the policy of the page allows calls to CONNECT_ORIGINS', () => {
  const pages = JSON.parse(readFileSync(`${DIST}/pages.json`, 'utf8'))
  expect(pages['/'].policy).toContain(`connect-src 'self' ${SETTINGS.CONNECT_ORIGINS};`)
})

test('other sites can show the card and the icons', async () => {
  const { listen, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  const origin = await listen()
  const page = await (await sharedBrowser()).newPage()
  onTestFinished(() => page.context().close())
  await page.goto((await localServer(answerWith('<p>', 200, { 'content-type': 'text/html' }))).origin)
  const [, icon] = /<link rel="icon" [^>]*href="(.*?)"/.exec(readFileSync(`${DIST}/index.html`, 'utf8')) ?? []
  const files = [`${icon}`, '/favicon.ico', '/touch-icon.png', '/card.jpg']
  // `decode` rejects if the picture is refused or is not a picture.
  const decode = (urls: string[]) =>
    Promise.all(
      urls.map((src) =>
        Object.assign(new Image(), { src })
          .decode()
          .then(() => src),
      ),
    )
  const urls = files.map((file) => origin + file)
  expect(await page.evaluate(decode, urls)).toEqual(urls)
})

test('licenses.txt has the notices of what is bundled', () => {
  expect(readFileSync(`${DIST}/licenses.txt`, 'utf8')).toContain('## react - ')
})

test('no part of the page exceeds its limit in package.json by a quarter', () => {
  const { stdout } = spawnSync('size-limit', ['--json'], { encoding: 'utf8' })
  const parts: { readonly name: string; readonly size: number; readonly sizeLimit?: number }[] = JSON.parse(stdout)
  expect(parts.length).toBeGreaterThan(0)
  const faults = parts.flatMap(({ name, size, sizeLimit = 0 }) => {
    if (size === 0) return [`${name} has no file. Correct its row in "size-limit" of package.json.`]
    if (size <= 1.25 * sizeLimit) return []
    return [`${name} has ${size} bytes, and at most ${1.25 * sizeLimit} are allowed. Raise its limit in package.json.`]
  })
  expect(faults).toEqual([])
})
