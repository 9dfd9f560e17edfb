import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT } from '../../../src/domain/texts.ts'
import type { Place } from '../../support/engines/engine.ts'
import type { Perceived } from '../../support/engines/perceived.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'
import { animationsFinished } from '../../support/page/page-states.ts'

const { contactUs: CONTACT_US, close: CLOSE, first: FIRST, submit: SUBMIT } = TEXT
const FAILED = NOTIFICATION_TEXT.failed.summary
const ORDER = [FIRST, TEXT.last, TEXT.email, TEXT.message, SUBMIT, CLOSE]

const MASK: Place = [10, 10]
const middleOf = ({ x, y, width, height }: Perceived): Place => [x + width / 2, y + height / 2]

/** Within half a pixel. */
const sameBoxes = (boxes: readonly (Perceived | null)[]) =>
  boxes.map((box) => {
    if (!box) throw new Error('Something is not seen.')
    const { x, y, width, height } = box
    const near = (length: number) => expect.closeTo(length, 0)
    return expect.objectContaining({ x: near(x), y: near(y), width: near(width), height: near(height) })
  })

type Frame = { readonly durations: unknown[]; readonly place: string }

/** To run in the page: writes down, frame by frame, what moves the dialog and where the page's heading stands. */
function watch() {
  const frames: Frame[] = []
  const dialog = document.querySelector('dialog')
  function frame() {
    const running = dialog?.checkVisibility() ? dialog.getAnimations({ subtree: true }) : []
    const { left = 0, top = 0 } = document.querySelector('h1')?.getBoundingClientRect() ?? {}
    frames.push({ durations: running.map(({ effect }) => effect?.getTiming().duration), place: `${left} ${top}` })
    requestAnimationFrame(frame)
  }
  frame()
  Object.assign(window, { frames })
}

const watched = () => (window as unknown as { frames: Frame[] }).frames

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  async function expectClosed({ dialog, focused }: Visit) {
    await expect.poll(dialog).toBeNull()
    await expect.poll(focused).toBe(CONTACT_US)
  }

  test.each<[string, (visit: Visit) => Promise<unknown>]>([
    ['Escape', ({ engine }) => engine.press('Escape')],
    ['the close icon', ({ click }) => click('button', CLOSE)],
    ['a press of the mask', ({ engine }) => engine.drag(MASK)],
  ])('%s closes it, the focus returns, and it opens again', async (_, close) => {
    const visit = await arrive()
    for (const _round of [1, 2]) {
      await visit.openDialog()
      await close(visit)
      await expectClosed(visit)
    }
  })

  test('a drag out of it or into it leaves it open', async () => {
    const { engine, openDialog, see, dialog } = await arrive()
    await openDialog()
    const heading = await see('heading', CONTACT_US)
    if (!heading) throw new Error('It has no title.')
    await engine.drag(middleOf(heading), MASK)
    expect(await dialog()).not.toBeNull()
    await engine.drag(MASK, middleOf(heading))
    expect(await dialog()).not.toBeNull()
  })

  test('it is opened, walked through in both directions and closed by keys alone', async () => {
    const visit = await arrive()
    const { engine, focused, click } = visit
    await click('textbox', TEXT.emailPlaceholder)
    for (const key of ['Tab', 'Tab', 'Enter'] as const) await engine.press(key)
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

  test('it is seen going, for 150 ms', async () => {
    const visit = await arrive()
    await visit.openDialog()
    await visit.appHasTakenOver()
    await visit.engine.evaluate(watch)
    await visit.engine.press('Escape')
    await expectClosed(visit)
    await visit.engine.evaluate(animationsFinished)
    const frames = await visit.engine.evaluate(watched)
    expect(frames.flatMap(({ durations }) => durations)).toContain(150)
  })

  test('the page behind it neither scrolls nor shifts, from the opening to the end of the closing', async () => {
    const visit = await arrive({ size: [1280, 256] })
    const { engine, click, focused, appHasTakenOver } = visit
    // By keys, for they scroll to the button before it is pressed.
    await click('textbox', TEXT.emailPlaceholder)
    for (const key of ['Tab', 'Tab'] as const) await engine.press(key)
    await engine.evaluate(watch)
    await engine.press('Enter')
    await expect.poll(focused).toBe(FIRST)
    await appHasTakenOver()
    await engine.wheel(100)
    await engine.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await engine.press('Escape')
    await expectClosed(visit)
    await engine.evaluate(animationsFinished)
    const frames = await engine.evaluate(watched)
    expect(new Set(frames.map(({ place }) => place)).size).toBe(1)
  })

  test('after it the page stands as before, also when its window has grown', async () => {
    const visit = await arrive()
    const heading = () => visit.see('heading', TEXT.heading)
    const before = sameBoxes([await heading()])
    await visit.engine.resize(1280, 256)
    await visit.openDialog()
    await visit.engine.press('Escape')
    await expectClosed(visit)
    await visit.engine.resize(1280, 800)
    await expect.poll(async () => [await heading()]).toEqual(before)
  })

  test('a notification over it moves nothing, and is closed by pointer and by keys; the focus returns into it', async () => {
    const {
      engine,
      site,
      enter,
      click,
      openDialog,
      see,
      sees,
      seesNoMore,
      notification,
      closeNotification,
      focused,
      dialog,
    } = await arrive()
    const places = () => Promise.all([dialog(), see('textbox', FIRST), see('button', SUBMIT)])
    const fail = Promise.withResolvers<void>()
    site.route(API, (request, response) => fail.promise.then(() => says('', 500)(request, response)))
    await enter('ada@example.com')
    await openDialog()
    const before = sameBoxes(await places())
    fail.resolve()
    await sees(FAILED)
    await engine.evaluate(animationsFinished)
    expect(await notification(FAILED)).toMatchObject({ uncovered: true })
    expect(await places()).toEqual(before)
    await closeNotification()
    await seesNoMore(FAILED)
    await expect.poll(focused).toBe(FIRST)
    expect(await places()).toEqual(before)

    await engine.press('Escape')
    await expect.poll(dialog).toBeNull()
    await click('button', TEXT.subscribe)
    await sees(FAILED)
    await openDialog()
    expect(await notification(FAILED)).toMatchObject({ uncovered: true })
    // What comes last in it is the notification.
    await engine.press('Shift+Tab')
    expect(await focused()).toBe(CLOSE)
    await engine.press('Enter')
    await seesNoMore(FAILED)
    await expect.poll(focused).toBe(FIRST)
    expect(await dialog()).not.toBeNull()
  })
})
