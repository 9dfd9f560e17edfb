import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT } from '../../../src/domain/texts.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'
import { animationsFinished } from '../../support/page/page-states.ts'

const { contactUs: CONTACT_US, close: CLOSE, first: FIRST } = TEXT
const FAILED = NOTIFICATION_TEXT.failed.summary
const ORDER = [FIRST, TEXT.last, TEXT.email, TEXT.message, TEXT.submit, CLOSE]

type Frame = { readonly place: string; readonly leaving: unknown[] }

/** To run in the page: writes down, frame by frame, where its heading stands, and how long what moves a closed dialog does. */
function watch() {
  const frames: Frame[] = []
  const dialog = document.querySelector('dialog')
  function frame() {
    const { left = 0, top = 0 } = document.querySelector('h1')?.getBoundingClientRect() ?? {}
    const leaving = !dialog?.open && dialog?.checkVisibility() ? dialog.getAnimations({ subtree: true }) : []
    frames.push({ place: `${left} ${top}`, leaving: leaving.map(({ effect }) => effect?.getTiming().duration) })
    requestAnimationFrame(frame)
  }
  frame()
  Object.assign(window, { frames })
}

const watched = () => (window as unknown as { frames: Frame[] }).frames

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

  test('it is seen going for 150 ms; the page behind it does not shift as it comes and goes', async () => {
    const visit = await arrive({ size: [1280, 256] })
    const { engine, focused } = visit
    // By keys, for they scroll to the button before it is pressed.
    for (const key of ['Tab', 'Tab', 'Tab'] as const) await engine.press(key)
    await engine.evaluate(watch)
    await engine.press('Enter')
    await expect.poll(focused).toBe(FIRST)
    await engine.evaluate(animationsFinished)
    await engine.press('Escape')
    await expectClosed(visit)
    await engine.evaluate(animationsFinished)
    const frames = await engine.evaluate(watched)
    expect(new Set(frames.map(({ place }) => place)).size).toBe(1)
    expect(frames.flatMap(({ leaving }) => leaving)).toContain(150)
  })

  test('a notification that comes over it is closed by the pointer, one that was there by keys; the focus stays in it', async () => {
    const { engine, site, enter, click, openDialog, dialogIsOpen, see, sees, closeNotification, focused } =
      await arrive()
    const answer = Promise.withResolvers<void>()
    site.route(API, (request, response) => answer.promise.then(() => says('', 500)(request, response)))
    await enter('ada@example.com')
    await openDialog()
    answer.resolve()
    await sees(FAILED)
    await closeNotification()
    expect(await focused()).toBe(TEXT.email)

    await engine.press('Escape')
    await expect.poll(dialogIsOpen).toBe(false)
    await click('button', TEXT.subscribe)
    await sees(FAILED)
    await openDialog()
    await sees(FAILED)
    // What comes last in it is the notification.
    await engine.press('Shift+Tab')
    expect(await focused()).toBe(CLOSE)
    await engine.press('Enter')
    await expect.poll(() => see('text', FAILED)).toBeNull()
    expect(await focused()).toBe(TEXT.email)
    expect(await dialogIsOpen()).toBe(true)
  })
})
