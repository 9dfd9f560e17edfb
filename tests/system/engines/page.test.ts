import { describe, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { ENGINES, visitWith } from '../../support/engines/visit.ts'

const ADDRESS = 'ada@example.com'
const { emailPlaceholder: EMAIL, contactUs: CONTACT_US, first: FIRST, last: LAST } = TEXT
const { subscribed, alreadySubscribed } = NOTIFICATION_TEXT

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
    const { engine, enter, sees, see, closeNotification, openDialog, dialogIsOpen, fill, focused, site } =
      await arrive()
    await enter(ADDRESS)
    await sees(subscribed.summary)
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '', busy: false })
    await enter(ADDRESS)
    await sees(alreadySubscribed.summary)
    await closeNotification()
    expect(await focused()).toBe(EMAIL)

    await openDialog()
    await fill(FIRST, 'Ada')
    await engine.press('Enter')
    await sees(VALIDATION_TEXT.noLast)
    expect(await focused()).toBe(LAST)
    const msg = 'When do you start?'
    for (const text of ['Lovelace', ADDRESS, msg]) {
      await engine.type(text)
      await engine.press('Tab')
    }
    expect(await focused()).toBe(TEXT.submit)
    await engine.press('Enter')
    await sees(ENQUIRY_TEXT.received)
    const enquiry = { name: { first: 'Ada', last: 'Lovelace' }, email: ADDRESS, msg }
    expect(site.calls().map(({ body }) => JSON.parse(body))).toEqual([{ email: ADDRESS }, { email: ADDRESS }, enquiry])
    await engine.press('Escape')
    await expect.poll(dialogIsOpen).toBe(false)
    expect(await focused()).toBe(CONTACT_US)
  })

  test('a required field that a visitor leaves empty is neither said nor seen to be invalid', async () => {
    const { engine, openDialog } = await arrive()
    const looks = () =>
      [...document.querySelectorAll('form, :required')].map((part) => {
        const { borderColor, boxShadow } = getComputedStyle(part)
        return { invalid: part.ariaInvalid, borderColor, boxShadow }
      })
    const before = await engine.evaluate(looks)
    expect(before.map(({ invalid }) => invalid)).toEqual(Array(7).fill('false'))
    await openDialog()
    for (const _field of [FIRST, LAST, TEXT.email, TEXT.message]) await engine.press('Tab')
    expect(await engine.evaluate(looks)).toEqual(before)
  })
})
