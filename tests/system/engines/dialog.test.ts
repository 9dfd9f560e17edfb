import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT } from '../../../src/domain/texts.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'

const { contactUs: CONTACT_US, close: CLOSE, first: FIRST } = TEXT
const FAILED = NOTIFICATION_TEXT.failed.summary
const ORDER = [FIRST, TEXT.last, TEXT.email, TEXT.message, TEXT.submit, CLOSE]

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  async function expectClosed({ dialogIsOpen, focused }: Visit) {
    await expect.poll(dialogIsOpen).toBe(false)
    await expect.poll(focused).toBe(CONTACT_US)
  }

  test.each<[string, (visit: Visit) => Promise<unknown>]>([
    ['Escape', ({ engine }) => engine.press('Escape')],
    ['the close icon', ({ click }) => click('button', CLOSE)],
    ['a press of the mask', ({ engine }) => engine.click([10, 10])],
  ])('%s closes it, the focus returns even if no press gives it to a button, and it opens again', async (_, close) => {
    const visit = await arrive()
    // As in Safari, unlike WebKit on Linux.
    await visit.engine.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
    for (const _round of [1, 2]) {
      await visit.openDialog()
      await close(visit)
      await expectClosed(visit)
    }
  })

  test('it is opened, walked through in both directions and closed by keys alone', async () => {
    const visit = await arrive()
    const { engine, focused } = visit
    for (const name of [TEXT.emailPlaceholder, TEXT.subscribe, CONTACT_US]) {
      await engine.press('Tab')
      expect(await focused()).toBe(name)
    }
    await engine.press('Enter')
    for (const name of [...ORDER, FIRST]) {
      await expect.poll(focused).toBe(name)
      await engine.press('Tab')
    }
    for (const name of [TEXT.last, FIRST, ...ORDER.toReversed()]) {
      await expect.poll(focused).toBe(name)
      await engine.press('Shift+Tab')
    }
    await expect.poll(focused).toBe(CLOSE)
    await engine.press('Enter')
    await expectClosed(visit)
  })

  test('the page behind it does not shift as it comes and goes', async () => {
    const visit = await arrive({ size: [1280, 256] })
    const left = () => visit.engine.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().left)
    const before = await left()
    await visit.openDialog()
    expect(await left()).toBe(before)
    await visit.engine.press('Escape')
    await expectClosed(visit)
    expect(await left()).toBe(before)
  })

  test('a notification that comes over it is closed by the pointer, and the focus stays in it', async () => {
    const { site, enter, openDialog, sees, closeNotification, focused } = await arrive()
    const answer = Promise.withResolvers<void>()
    site.route(API, (request, response) => answer.promise.then(() => says('', 500)(request, response)))
    await enter('ada@example.com')
    await openDialog()
    answer.resolve()
    await sees(FAILED)
    await closeNotification()
    expect(await focused()).toBe(TEXT.email)
  })
})
