import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FIELD_NAMES, FIELDS } from '../../../src/domain/enquiry-fields.ts'
import { ENQUIRY_TEXT, SUBSCRIBE_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { OPENS_DIALOG } from '../../../src/element-names.ts'
import { launchFirefox } from '../../support/engines/firefox.ts'
import { launchOldChromium } from '../../support/engines/old-chromium.ts'
import { type Engine, launchWebKit } from '../../support/engines/webkit.ts'
import { anEnquiry, columnsOf } from '../../support/enquiries.ts'
import { DIST } from '../../support/page/build-the-page.ts'
import { buildTestApp } from '../../support/server/build-test-app.ts'

const ENQUIRY = anEnquiry()

type Visit = Awaited<ReturnType<typeof visit>>

/** Opens the page as a new visitor, at an origin that no browser has cached, with a backend for one test. */
async function visit(engine: Engine) {
  const { listen, rows, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  await engine.goto(await listen())

  const click = async (selector: string) => engine.click(await engine.evaluate(middleOf, selector))
  /** The name of the focused element. */
  const focused = () =>
    engine.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('placeholder') ?? element?.textContent.trim()
    })
  return {
    rows,
    focused,
    sees: (text: string) => expect.poll(() => engine.evaluate(visibleText)).toContain(text.replace('\n', ' ')),
    /** Submits this address by the Enter key. */
    async enter(address: string) {
      await click('main input')
      await engine.evaluate(() => document.querySelector('input')?.select())
      await engine.type(address)
      await engine.press('Enter')
    },
    /** Opens the dialog with the pointer. */
    async openDialog() {
      await click(OPENS_DIALOG.selector)
      await expect.poll(focused).toBe(TEXT.first)
    },
  }
}

// These functions run in the page.
function middleOf(selector: string) {
  const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
  return [x + width / 2, y + height / 2] as const
}
const visibleText = () =>
  (document.querySelector<HTMLElement>('dialog[open]') ?? document.body).innerText.replace(/\s+/g, ' ')

// All other tests of the page run in today's Chromium.
describe.each([
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
  ['Chromium 106', launchOldChromium],
] as const)('%s', (_, launch) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await launch()
    return () => engine.close()
  })

  test('subscribes a visitor, and recognises a second attempt', async () => {
    const { enter, sees, rows } = await visit(engine)
    await enter(ENQUIRY.email)
    await expect.poll(() => engine.evaluate(() => document.querySelector('input')?.value)).toBe('')
    await enter(ENQUIRY.email)
    await sees(SUBSCRIBE_TEXT.alreadySubscribed.summary)
    expect(await rows('subscribers')).toMatchObject([{ email: ENQUIRY.email }])
  })

  test('sends an enquiry once, after an error that moves the focus', async () => {
    const { openDialog, focused, sees, rows } = await visit(engine)
    await openDialog()
    await engine.type(ENQUIRY.first)
    await engine.press('Enter')
    await sees(VALIDATION_TEXT.noLast)
    expect(await focused()).toBe(TEXT.last)
    for (const field of FIELD_NAMES.slice(1)) {
      await engine.type(ENQUIRY[field])
      await engine.press('Tab')
    }
    await engine.press('Enter')
    await sees(ENQUIRY_TEXT.received.detail)
    expect(await rows('enquiries')).toMatchObject([columnsOf(ENQUIRY)])
  })

  test.each<[string, close: (visitor: Visit) => Promise<unknown>]>([
    ['Escape', () => engine.press('Escape')],
    ['a press of the mask', () => engine.click([10, 10])],
  ])('returns the focus when the dialog is closed by %s', async (_, close) => {
    const visitor = await visit(engine)
    // In Safari, unlike WebKit on Linux, a click does not focus a button.
    await engine.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
    await visitor.openDialog()
    await close(visitor)
    await expect.poll(visitor.focused).toBe(TEXT.contactUs)
    expect(await engine.evaluate(() => document.querySelector('dialog[open]'))).toBeNull()
  })

  test('moves the focus through the dialog by keys', async () => {
    const { openDialog, focused } = await visit(engine)
    await openDialog()
    for (const name of [...FIELD_NAMES.map((name) => FIELDS[name].label), TEXT.submit]) {
      await expect.poll(focused).toBe(name)
      await engine.press('Tab')
    }
  })
})
