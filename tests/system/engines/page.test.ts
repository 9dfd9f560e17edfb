import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { NOTIFICATION } from '../../support/engines/perceived.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'
import { until } from '../../support/until.ts'

const ADDRESS = 'ada@example.com'
const CALL = { path: '/api/subscribe', body: `{"email":"${ADDRESS}"}` }
const DECLINED = says('{"success":false,"email_exists":false}')
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE, contactUs: CONTACT_US } = TEXT
const { subscribed, alreadySubscribed, failed, invalidEmail } = NOTIFICATION_TEXT

/** Whether the bar that tells the life of a notification runs. */
const lifeRuns = () =>
  document
    .getAnimations()
    .some(({ effect, playState }) => effect?.getTiming().duration === 3000 && playState === 'running')

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  test('the picture is loaded, and fades in to the end', async () => {
    const { engine } = await arrive()
    const picture = () => {
      const { backgroundImage, opacity } = getComputedStyle(document.querySelector('main') ?? document.body, '::before')
      const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
      return [opacity, loaded.some((url) => backgroundImage.includes(url))]
    }
    await expect.poll(() => engine.evaluate(picture)).toEqual(['1', true])
  })

  test('a new address is thanked for, a known one is greeted; both leave the field empty', async () => {
    const { enter, sees, see } = await arrive()
    await enter(ADDRESS)
    await sees(subscribed.summary)
    await sees(subscribed.detail)
    expect(await see('button', TEXT.close)).toBeNull()
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '', focused: true })
    await enter(ADDRESS)
    await sees(alreadySubscribed.summary)
    await sees(alreadySubscribed.detail)
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ value: '', focused: true })
  })

  test.each([
    ['500', says('', 500)],
    ['broken JSON', says('{"success":')],
  ] as const)('%s is told as a failure, and the address stays', async (_, answer) => {
    const { enter, sees, see, site } = await arrive({ before: (site) => site.route(API, answer) })
    await enter(ADDRESS)
    await sees(failed.summary)
    await sees(failed.detail)
    expect(await see('textbox', EMAIL)).toMatchObject({ value: ADDRESS, focused: true, invalid: false })
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    expect(site.calls()).toMatchObject([CALL])
  })

  test('a declined address changes nothing: field and notification stay', async () => {
    const { engine, enter, sees, see, site } = await arrive({ before: (site) => site.route(API, says('', 500)) })
    await enter(ADDRESS)
    await sees(failed.summary)
    site.route(API, DECLINED)
    await engine.press('Enter')
    await until(() => site.calls().length === 2)
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    expect(await see('textbox', EMAIL)).toMatchObject({ value: ADDRESS, focused: true })
    await sees(failed.summary)
  })

  test('an invalid address is told by one notification and at its field until it is edited; nothing is sent', async () => {
    const { engine, enter, sees, see, site } = await arrive()
    await enter('plain')
    for (const text of Object.values(invalidEmail)) await sees(text)
    await engine.press('Enter')
    for (const text of Object.values(invalidEmail)) await sees(text)
    expect(await see('textbox', EMAIL)).toMatchObject({
      ...{ value: 'plain', focused: true, invalid: true },
      description: VALIDATION_TEXT.invalidEmail,
    })
    await engine.type('x')
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ invalid: false, description: '' })
    expect(site.calls()).toEqual([])
  })

  test('while a call is pending, Subscribe is busy, sends nothing else, and what is typed stays', async () => {
    const { engine, enter, sees, see, click, site } = await arrive()
    const release = site.hold(API)
    await enter('pending@example.com')
    await until(() => site.calls().length === 1)
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: true })
    await engine.press('Enter')
    await click('button', SUBSCRIBE)
    await click('textbox', EMAIL)
    // Read-only until the app is there.
    await expect.poll(() => see('textbox', EMAIL)).toMatchObject({ readOnly: false })
    await engine.type('x')
    release()
    await sees(subscribed.summary)
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    expect((await see('textbox', EMAIL))?.value).toContain('x')
    expect(site.calls()).toHaveLength(1)
  })

  test('a notification stands 20 px from top and right, 25rem wide, and moves nothing; both ways of closing it lead to the field', async () => {
    const { engine, enter, sees, see, seesNoMore, closeNotification, focused } = await arrive({
      before: (site) => site.route(API, says('', 500)),
    })
    const places = async () => [await see('heading', TEXT.heading), await see('button', CONTACT_US)]
    const before = await places()
    await enter(ADDRESS)
    await sees(failed.summary)
    await engine.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
    const box = await engine.evaluate((selector) => {
      const { left, top, right, width } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
      return { top, toTheRight: document.documentElement.clientWidth - right, width, left }
    }, NOTIFICATION)
    expect(box).toMatchObject({ top: 20, toTheRight: 20, width: 400 })
    expect(await places()).toEqual(before)

    await closeNotification()
    await seesNoMore(failed.summary)
    expect(await focused()).toBe(EMAIL)
    expect(await places()).toEqual(before)

    await engine.press('Enter')
    await sees(failed.summary)
    for (const name of [SUBSCRIBE, CONTACT_US, TEXT.close]) {
      await engine.press('Tab')
      expect(await focused()).toBe(name)
    }
    await engine.press('Enter')
    await seesNoMore(failed.summary)
    expect(await focused()).toBe(EMAIL)
  })

  test('the pointer over a notification stops its life, and starts it again when it leaves', async () => {
    const { engine, enter, sees, notification } = await arrive({
      before: (site) => site.route(API, says('{"success":true,"email_exists":false}')),
    })
    await enter(ADDRESS)
    await sees(subscribed.summary)
    await expect.poll(() => engine.evaluate(lifeRuns)).toBe(true)
    const { x = 0, y = 0 } = (await notification(subscribed.summary)) ?? {}
    await engine.move([x + 2, y + 2])
    await expect.poll(() => engine.evaluate(lifeRuns)).toBe(false)
    await engine.move([0, 0])
    await expect.poll(() => engine.evaluate(lifeRuns)).toBe(true)
  })

  test('Tab goes from the field to Subscribe and Contact us, and Shift+Tab back', async () => {
    const { engine, focused } = await arrive()
    for (const [key, name] of [
      ['Tab', EMAIL],
      ['Tab', SUBSCRIBE],
      ['Tab', CONTACT_US],
      ['Shift+Tab', SUBSCRIBE],
      ['Shift+Tab', EMAIL],
    ] as const) {
      await engine.press(key)
      await expect.poll(focused).toBe(name)
    }
  })
})
