import { describe, expect, test } from 'vitest'
import { ENQUIRY_FIELDS } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { anEnquiry, bodyOf } from '../../support/enquiries.ts'
import { findCut } from '../../support/page/cut.ts'
import { animationsFinished } from '../../support/page/page-states.ts'
import { until } from '../../support/until.ts'

const ADDRESS = 'ada@example.com'
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE, contactUs: CONTACT_US, first: FIRST, last: LAST } = TEXT
const DIALOG = [...ENQUIRY_FIELDS.map((name) => TEXT[name]), TEXT.submit, TEXT.close]
const { alreadySubscribed, failed } = NOTIFICATION_TEXT

/** To run in the page: whether the focus is on the screen, and something of it is not under something else. */
function focusIsSeen(): boolean {
  const focused = document.activeElement
  const { x, y, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  return parts.some((right) =>
    parts.some((down) => focused?.contains(document.elementFromPoint(x + width * right, y + height * down))),
  )
}

async function expectWhole({ engine }: Visit) {
  await engine.evaluate(animationsFinished)
  expect(await engine.evaluate(findCut)).toEqual([])
}

async function expectSeenInTurn({ engine, focused }: Visit, names: readonly string[]) {
  for (const name of names) {
    await expect.poll(focused).toBe(name)
    await expect.poll(() => engine.evaluate(focusIsSeen), { message: `sees ${name}` }).toBe(true)
    await engine.press('Tab')
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
    expect(site.calls()).toEqual([{ email: ADDRESS }, { email: ADDRESS }, bodyOf(enquiry)])
  })

  test('a required field that a visitor leaves empty is neither said nor seen to be invalid', async () => {
    const { engine, openDialog } = await arrive()
    const looks = () =>
      [...document.querySelectorAll('form, :required')].map((part) => {
        const { borderColor, boxShadow } = getComputedStyle(part)
        return { invalid: part.ariaInvalid, borderColor, boxShadow }
      })
    const before = await engine.evaluate(looks)
    expect(new Set(before.map(({ invalid }) => invalid))).toEqual(new Set(['false']))
    await openDialog()
    for (const _field of ENQUIRY_FIELDS) await engine.press('Tab')
    expect(await engine.evaluate(looks)).toEqual(before)
  })

  test.each<[string, (visit: Visit) => Promise<unknown>]>([
    ['Escape', ({ engine }) => engine.press('Escape')],
    ['the close icon', ({ click }) => click('button', TEXT.close)],
    ['a press of the mask', ({ engine }) => engine.click([10, 10])],
  ])(
    '%s closes the dialog, the focus returns even if no press gives it to a button, and it opens again',
    async (_, close) => {
      const visit = await arrive()
      // As in Safari, unlike WebKit on Linux.
      await visit.engine.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault()))
      for (const _round of [1, 2]) {
        await visit.openDialog()
        await close(visit)
        await visit.seesNoDialog()
      }
    },
  )

  test('the dialog is opened, walked through backwards and closed by keys alone', async () => {
    const visit = await arrive()
    const { engine, focused } = visit
    for (const _stop of [EMAIL, SUBSCRIBE, CONTACT_US]) await engine.press('Tab')
    await engine.press('Enter')
    for (const name of [FIRST, ...DIALOG.toReversed()]) {
      await expect.poll(focused).toBe(name)
      await engine.press('Shift', 'Tab')
    }
    await expect.poll(focused).toBe(TEXT.close)
    await engine.press('Enter')
    await visit.seesNoDialog()
  })

  test('a notification that is replaced while its Close has the focus leaves it to the email input', async () => {
    const { engine, enter, sees, focused, site } = await arrive()
    site.fail()
    await enter(ADDRESS)
    await sees(failed.summary)
    const release = site.hold(/^\/api\//)
    await enter(ADDRESS)
    await until(() => site.calls().length === 2)
    for (const stop of [EMAIL, SUBSCRIBE, CONTACT_US]) {
      await expect.poll(focused).toBe(stop)
      await engine.press('Tab')
    }
    await expect.poll(focused).toBe(TEXT.close)
    release()
    await expect.poll(focused).toBe(EMAIL)
  })

  test('the page behind the dialog does not shift as it comes and goes', async () => {
    const visit = await arrive(1280, 256)
    const left = () => visit.engine.evaluate(() => document.querySelector('h1')?.getBoundingClientRect().left)
    const before = await left()
    await visit.openDialog()
    expect(await left()).toBe(before)
    await visit.engine.press('Escape')
    await visit.seesNoDialog()
    expect(await left()).toBe(before)
  })

  const goAndComeBack = async ({ engine, site }: Visit) => {
    await engine.goto(`${site.origin}/robots.txt`)
    await engine.back()
  }

  test.each([
    ['leaving and coming back', 'the app is there', /assets\/.*\.js/, goAndComeBack],
    ['leaving and coming back', 'a call is answered', /^\/api\//, goAndComeBack],
    ['reloading', 'a call is answered', /^\/api\//, ({ engine }: Visit) => engine.reload()],
  ])('%s before %s leaves nothing busy, and a press works', async (_, when, awaited, leave) => {
    const visit = await arrive()
    const { site, see, enter } = visit
    const isHeld = async () => [(await see('button', SUBSCRIBE))?.isBusy, (await see('textbox', EMAIL))?.readOnly]
    const release = site.hold(awaited)
    await enter(ADDRESS)
    await expect.poll(isHeld).toEqual([true, expect.any(Boolean)])
    if (when === 'a call is answered') await until(() => site.calls().length === 1)
    await leave(visit)
    release()
    await expect.poll(isHeld).toEqual([false, false])
    await enter('second@example.com')
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '' })
    expect(site.calls()).toContainEqual({ email: 'second@example.com' })
  })

  test.each([
    ['1280 by 1024 px zoomed to 400 %', 320, 256],
    ['a phone on its side', 844, 390],
  ])(
    'on %s nothing is cut or scrolls sideways, and no focus hides on the page, under a notification, or in the dialog',
    async (_, width, height) => {
      const visit = await arrive(width, height)
      await expectWhole(visit)
      visit.site.fail()
      await visit.enter(ADDRESS)
      await visit.sees(failed.summary)
      await expectWhole(visit)
      await expectSeenInTurn(visit, [EMAIL, SUBSCRIBE, CONTACT_US])
      await visit.closeNotification()

      for (const stop of [SUBSCRIBE, CONTACT_US]) {
        await visit.engine.press('Tab')
        await expect.poll(visit.focused).toBe(stop)
      }
      await visit.engine.press('Enter')
      await expect.poll(visit.focused).toBe(FIRST)
      await expectWhole(visit)
      await expectSeenInTurn(visit, [...DIALOG, FIRST])
    },
  )
})
