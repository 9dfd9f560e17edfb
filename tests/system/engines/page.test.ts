import { beforeAll, describe, expect, test } from 'vitest'
import { ENQUIRY_FIELDS } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { ENGINES } from '../../support/engines/launch.ts'
import { type Visit, visit } from '../../support/engines/visit.ts'
import type { Engine } from '../../support/engines/webkit.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../../support/enquiries.ts'
import { DOCUMENT_CHANGES } from '../../support/page/document-changes.ts'
import { findCut } from '../../support/page/find.ts'
import { animationsFinished } from '../../support/page/page-states.ts'
import { SMALLEST } from '../../support/page/screens.ts'
import { until } from '../../support/until.ts'

const ADDRESS = 'ada@example.com'
const ENQUIRY = anEnquiry({ email: ADDRESS })
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE, contactUs: CONTACT_US, first: FIRST, last: LAST } = TEXT
const IN_DIALOG = [...ENQUIRY_FIELDS.map((name) => TEXT[name]), TEXT.submit, TEXT.close]
const APP = /assets\/.*\.js/

/** To run in the page: whether half of what has the focus is on the screen, and not under something else. */
function focusIsSeen(): boolean {
  const focused = document.activeElement
  const { x, y, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  const seen = parts.flatMap((right) =>
    parts.map((down) => focused?.contains(document.elementFromPoint(x + width * right, y + height * down))),
  )
  return seen.filter(Boolean).length >= seen.length / 2
}

async function expectSeenInTurn(
  { engine, focused }: Visit,
  names: readonly string[],
  ...keys: Parameters<Engine['press']>
) {
  for (const name of names) {
    await expect.poll(focused).toBe(name)
    await expect.poll(() => engine.evaluate(focusIsSeen), { message: `sees ${name}` }).toBe(true)
    await engine.press(...keys)
  }
}

describe.each(ENGINES)('%s', (_, launch) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await launch()
    return () => engine.close()
  })

  test('shows the one file of the picture that it has chosen', async () => {
    await visit(engine)
    const isShown = () => {
      const { backgroundImage } = getComputedStyle(document.querySelector('main') ?? document.body, '::before')
      const files = performance.getEntriesByType('resource').map(({ name }) => name)
      const picture = new Image()
      picture.src = files.find((file) => backgroundImage.includes(file)) ?? ''
      return picture.decode().then(
        () => true,
        () => false,
      )
    }
    await expect.poll(() => engine.evaluate(isShown)).toBe(true)
  })

  test('subscribes a visitor once, and knows a second attempt', async () => {
    const { enter, see, sees, site } = await visit(engine)
    await enter(ADDRESS)
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '' })
    await enter(ADDRESS)
    await sees(NOTIFICATION_TEXT.alreadySubscribed.summary)
    expect(site.calls()).toEqual([subscriptionOf(ADDRESS), subscriptionOf(ADDRESS)])
  })

  test('sends an enquiry once, after an error that gets the focus', async () => {
    const { openDialog, focused, sees, site } = await visit(engine)
    await openDialog()
    await engine.type(ENQUIRY.first)
    await engine.press('Enter')
    await sees(VALIDATION_TEXT.noLast)
    expect(await focused()).toBe(LAST)
    for (const field of ENQUIRY_FIELDS.slice(1)) {
      await engine.type(ENQUIRY[field])
      await engine.press('Tab')
    }
    await engine.press('Enter')
    await sees(ENQUIRY_TEXT.received)
    expect(site.calls()).toEqual([bodyOf(ENQUIRY)])
  })

  test('mends a pasted address in a translated page, and sends it once', async () => {
    const { enter, site } = await visit(engine)
    const release = site.hold(APP)
    await engine.evaluate(DOCUMENT_CHANGES['texts are translated'])
    await enter('Ada <mailto:ada@bücher．example>')
    release()
    await expect.poll(site.calls).toEqual([subscriptionOf('ada@xn--bcher-kva.example')])
  })

  test.each<[string, close: (visit: Visit) => Promise<unknown>]>([
    ['Escape', () => engine.press('Escape')],
    ['its button', ({ click }) => click('button', TEXT.close)],
    ['a press of the mask', () => engine.click([10, 10])],
  ])('returns the focus and shifts nothing when the dialog is closed by %s', async (_, close) => {
    const visitor = await visit(engine, 1280, 256)
    // As in Safari, unlike WebKit on Linux.
    await engine.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
    const left = () => engine.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().left)
    const atRest = await left()
    await visitor.openDialog()
    expect(await left()).toBe(atRest)
    await close(visitor)
    await visitor.seesNoDialog()
    expect(await left()).toBe(atRest)
  })

  test.each<[string, RegExp, leave: (visit: Visit) => Promise<unknown>]>([
    [
      'leaving and coming back before the app is there',
      APP,
      async ({ site }) => {
        await engine.goto(`${site.origin}/robots.txt`)
        await engine.back()
      },
    ],
    ['a reload before a call is answered', /^\/api\//, () => engine.reload()],
  ])('keeps nothing busy after %s', async (_, awaited, leave) => {
    const visitor = await visit(engine)
    const { site, see, enter } = visitor
    const isHeld = async () => [(await see('button', SUBSCRIBE))?.isBusy, (await see('textbox', EMAIL))?.readOnly]
    const release = site.hold(awaited)
    await enter(ADDRESS)
    await until(() => site.asked(awaited))
    await leave(visitor)
    release()
    await expect.poll(isHeld).toEqual([false, false])
    await enter('second@example.com')
    await expect.poll(site.calls).toContainEqual(subscriptionOf('second@example.com'))
  })

  test('zoomed to 400 % leads by keys to all of the page, beside a notification', async () => {
    const visitor = await visit(engine, SMALLEST.width, SMALLEST.height)
    visitor.site.fail()
    await visitor.enter(ADDRESS)
    await visitor.sees(NOTIFICATION_TEXT.failed.summary)
    expect(await engine.evaluate(findCut)).toEqual([])
    await expectSeenInTurn(visitor, [EMAIL, SUBSCRIBE, CONTACT_US], 'Tab')
    await expectSeenInTurn(visitor, [TEXT.close, CONTACT_US, SUBSCRIBE], 'Shift', 'Tab')
    await visitor.closeNotification()
    await expect.poll(visitor.focused).toBe(EMAIL)
  })

  test('zoomed to 400 % leads by keys round in the dialog, and out of it', async () => {
    const visitor = await visit(engine, SMALLEST.width, SMALLEST.height)
    await visitor.openDialog()
    await engine.evaluate(animationsFinished)
    expect(await engine.evaluate(findCut)).toEqual([])
    await expectSeenInTurn(visitor, IN_DIALOG, 'Tab')
    await expectSeenInTurn(visitor, [FIRST, ...IN_DIALOG.toReversed()], 'Shift', 'Tab')
    await expect.poll(visitor.focused).toBe(TEXT.close)
    await engine.press('Enter')
    await visitor.seesNoDialog()
  })
})
