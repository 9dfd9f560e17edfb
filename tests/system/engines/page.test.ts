import { describe, expect, test } from 'vitest'
import { ENQUIRY_FIELDS } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { launchFirefox } from '../../support/engines/firefox.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { anEnquiry, bodyOf, subscriptionOf } from '../../support/enquiries.ts'
import { findCut } from '../../support/page/find.ts'
import { animationsFinished } from '../../support/page/page-states.ts'
import { until } from '../../support/until.ts'

const ADDRESS = 'ada@example.com'
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE, contactUs: CONTACT_US, first: FIRST, last: LAST } = TEXT
const DIALOG = [...ENQUIRY_FIELDS.map((name) => TEXT[name]), TEXT.submit, TEXT.close]
const { alreadySubscribed, failed } = NOTIFICATION_TEXT

/** To run in the page: wraps each text, as the translations of browsers do. */
function translate(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    const wrapper = document.createElement('font')
    wrapper.textContent = `¡${text.textContent}!`
    if (text.textContent?.trim() && text instanceof Text) text.replaceWith(wrapper)
  }
}

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

async function expectWhole({ engine }: Visit) {
  await engine.evaluate(animationsFinished)
  expect(await engine.evaluate(findCut)).toEqual([])
}

async function expectSeenInTurn({ engine, focused }: Visit, names: readonly string[], ...keys: ('Shift' | 'Tab')[]) {
  for (const name of names) {
    await expect.poll(focused).toBe(name)
    await expect.poll(() => engine.evaluate(focusIsSeen), { message: `sees ${name}` }).toBe(true)
    await engine.press(...keys)
  }
}

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  test('one file of the picture is chosen, and can be shown', async () => {
    const { engine } = await arrive()
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

  test('a visitor subscribes, subscribes again, and writes: an error gets the focus, and each call is made once', async () => {
    const visit = await arrive()
    const { engine, enter, sees, see, closeNotification, openDialog, fill, focused, site } = visit
    await enter(ADDRESS)
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '' })
    await enter(ADDRESS)
    await sees(alreadySubscribed.summary)
    await closeNotification()
    expect(await focused()).toBe(EMAIL)

    await openDialog()
    const enquiry = anEnquiry({ email: ADDRESS })
    await fill(FIRST, enquiry.first)
    await engine.press('Enter')
    await sees(VALIDATION_TEXT.noLast)
    expect(await focused()).toBe(LAST)
    for (const field of ENQUIRY_FIELDS.slice(1)) {
      await engine.type(enquiry[field])
      await engine.press('Tab')
    }
    await engine.press('Enter')
    await sees(ENQUIRY_TEXT.received)
    expect(site.calls()).toEqual([subscriptionOf(ADDRESS), subscriptionOf(ADDRESS), bodyOf(enquiry)])
  })

  test('in a translated page a pasted address is mended, and sent once', async () => {
    const { engine, site, enter } = await arrive()
    const release = site.hold(/assets\/.*\.js/)
    await engine.evaluate(translate)
    await enter('Ada <mailto:ada@bücher．example>')
    release()
    await expect.poll(site.calls).toEqual([subscriptionOf('ada@xn--bcher-kva.example')])
  })

  test('however the dialog is closed, the page does not shift, and the focus returns, even if no press gives it to a button', async () => {
    const visit = await arrive(1280, 256)
    const { engine, click, openDialog, seesNoDialog } = visit
    // As in Safari, unlike WebKit on Linux.
    await engine.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
    const left = () => engine.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().left)
    const before = await left()
    const ways = [
      () => engine.press('Escape'),
      () => click('button', TEXT.close),
      // The mask.
      () => engine.click([10, 10]),
    ]
    for (const close of ways) {
      await openDialog()
      expect(await left()).toBe(before)
      await close()
      await seesNoDialog()
      expect(await left()).toBe(before)
    }
  })

  test.each([
    [
      'leaving and coming back before the app is there',
      /assets\/.*\.js/,
      async ({ engine, site }: Visit) => {
        await engine.goto(`${site.origin}/robots.txt`)
        await engine.back()
      },
    ],
    ['reloading before a call is answered', /^\/api\//, ({ engine }: Visit) => engine.reload()],
  ])('%s leaves nothing busy, and a press works', async (_, awaited, leave) => {
    const visit = await arrive()
    const { site, see, enter } = visit
    const isHeld = async () => [(await see('button', SUBSCRIBE))?.isBusy, (await see('textbox', EMAIL))?.readOnly]
    const release = site.hold(awaited)
    await enter(ADDRESS)
    await expect.poll(isHeld).toEqual([true, expect.any(Boolean)])
    await until(() => site.asked(awaited))
    await leave(visit)
    release()
    await expect.poll(isHeld).toEqual([false, false])
    await enter('second@example.com')
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '' })
    expect(site.calls()).toContainEqual(subscriptionOf('second@example.com'))
  })

  test('zoomed to 400 %, nothing is cut or scrolls sideways, and keys alone lead everywhere, into the dialog and out of it, to what can be seen', async () => {
    const visit = await arrive(320, 256)
    const { engine, site, enter, sees, closeNotification, focused, seesNoDialog } = visit
    await expectWhole(visit)
    site.fail()
    await enter(ADDRESS)
    await sees(failed.summary)
    await expectWhole(visit)
    await expectSeenInTurn(visit, [EMAIL, SUBSCRIBE, CONTACT_US], 'Tab')
    await expectSeenInTurn(visit, [TEXT.close, CONTACT_US, SUBSCRIBE], 'Shift', 'Tab')
    await expectSeenInTurn(visit, [EMAIL], 'Tab')
    await closeNotification()

    for (const stop of [SUBSCRIBE, CONTACT_US]) {
      await engine.press('Tab')
      await expect.poll(focused).toBe(stop)
    }
    await engine.press('Enter')
    await expect.poll(focused).toBe(FIRST)
    await expectWhole(visit)
    await expectSeenInTurn(visit, DIALOG, 'Tab')
    await expectSeenInTurn(visit, [FIRST, ...DIALOG.toReversed()], 'Shift', 'Tab')
    await expect.poll(focused).toBe(TEXT.close)
    await engine.press('Enter')
    await seesNoDialog()
  })
})

/** To run in the page: which of these can't be told from their ground by a border. */
function borderless(selectors: string[]): string[] {
  const hasBorder = (element: Element) => {
    const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element)
    return borderTopStyle !== 'none' && borderTopWidth !== '0px' && borderTopColor !== backgroundColor
  }
  return selectors.filter((selector) => {
    const elements = [...document.querySelectorAll(selector)]
    return elements.length === 0 || !elements.every(hasBorder)
  })
}

describe('Firefox, with forced colours and reduced motion', () => {
  const colours = { 'browser.display.document_color_use': 2, 'ui.useAccessibilityTheme': 1 }
  const arrive = visitWith(() => launchFirefox({ ...colours, 'ui.prefersReducedMotion': 1 }))

  test('fields, buttons, notification and dialog have borders, the focus an outline, and nothing moves as they come and go', async () => {
    const { engine, site, enter, sees, openDialog, seesNoDialog } = await arrive()
    const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running').length
    expect(await engine.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)
    site.fail()
    await enter('ada@example.com')
    await sees(failed.summary)
    expect(await engine.evaluate(moving)).toBe(0)
    const onPage = ['main input', 'main button', '[id^=notification-] > :not([inert])']
    expect(await engine.evaluate(borderless, onPage)).toEqual([])
    await openDialog()
    expect(await engine.evaluate(moving)).toBe(0)
    const inDialog = ['#contact > :last-child', '#contact input', '#contact textarea', '#contact button[type=submit]']
    expect(await engine.evaluate(borderless, inDialog)).toEqual([])
    await engine.press('Tab')
    const outline = () => getComputedStyle(document.activeElement ?? document.body).outlineStyle
    await expect.poll(() => engine.evaluate(outline)).not.toBe('none')
    await engine.press('Escape')
    await seesNoDialog()
    expect(await engine.evaluate(moving)).toBe(0)
  })
})
