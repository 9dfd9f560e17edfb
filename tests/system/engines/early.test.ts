import { describe, expect, test } from 'vitest'
import { ENQUIRY_FIELDS } from '../../../src/domain/enquiry.ts'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT, VALIDATION_TEXT } from '../../../src/domain/texts.ts'
import { API, APP_FILES } from '../../support/engines/proxy.ts'
import { ENGINES, visitWith } from '../../support/engines/visit.ts'
import { until } from '../../support/until.ts'

const ADDRESS = 'ada@example.com'
const ENQUIRY = { first: 'Ada', last: 'Lovelace', email: ADDRESS, message: 'When do you start?' }
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE, contactUs: CONTACT_US, submit: SUBMIT } = TEXT
const THANKS = NOTIFICATION_TEXT.subscribed

describe.each(ENGINES)('%s', (browser, launch) => {
  const arrive = visitWith(launch)

  /** With the app's files held back until `release` is called. */
  async function arriveBeforeTheApp() {
    let release = () => {}
    const visit = await arrive({
      before(site) {
        release = site.hold(APP_FILES)
      },
    })
    return { ...visit, release: () => release() }
  }

  test('Subscribe, pressed twice before the app is there, is one call, whose outcome the app tells', async () => {
    const { engine, enter, site, see, sees, release } = await arriveBeforeTheApp()
    await enter(ADDRESS)
    await engine.press('Enter')
    await until(() => site.calls().length > 0)
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: true })
    expect(await see('textbox', EMAIL)).toMatchObject({ readOnly: true, value: ADDRESS })
    release()
    await sees(THANKS.summary)
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    expect(await see('textbox', EMAIL)).toMatchObject({ readOnly: false, value: '' })
    expect(site.calls()).toMatchObject([{ path: '/api/subscribe', body: `{"email":"${ADDRESS}"}` }])
  })

  test('an invalid address is told at once, at its field, until it is edited', async () => {
    const { engine, enter, site, see, sees, seesNoMore } = await arriveBeforeTheApp()
    await enter('plain')
    await sees(VALIDATION_TEXT.invalidEmail)
    expect(await see('textbox', EMAIL)).toMatchObject({ focused: true, readOnly: false })
    expect(await see('button', SUBSCRIBE)).toMatchObject({ busy: false })
    await engine.type('x')
    await seesNoMore(VALIDATION_TEXT.invalidEmail)
    expect(site.calls()).toEqual([])
  })

  test('Contact us opens the dialog, which closes, opens again and keeps its text; Submit waits, and is one call', async () => {
    const { engine, openDialog, focused, fill, click, dialog, site, see, sees, release } = await arriveBeforeTheApp()
    await openDialog()
    for (const name of ENQUIRY_FIELDS) await fill(TEXT[name], ENQUIRY[name])
    await engine.press('Escape')
    await expect.poll(dialog).toBeNull()
    expect(await focused()).toBe(CONTACT_US)
    await openDialog()
    await click('button', SUBMIT)
    await expect.poll(() => see('button', SUBMIT)).toMatchObject({ busy: true })
    await click('button', SUBMIT)
    expect(site.calls()).toEqual([])
    release()
    await sees(ENQUIRY_TEXT.received)
    const { first, last, email, message: msg } = ENQUIRY
    expect(site.calls()).toMatchObject([{ body: JSON.stringify({ name: { first, last }, email, msg }) }])
  })

  test.each([
    ['page', EMAIL],
    ['dialog', TEXT.first],
  ])('in the %s the app keeps text, selection and focus', async (where, name) => {
    const { engine, openDialog, fill, see, release, appHasTakenOver } = await arriveBeforeTheApp()
    if (where === 'dialog') await openDialog()
    await fill(name, 'Adda')
    for (const key of ['ArrowLeft', 'Shift+ArrowLeft'] as const) await engine.press(key)
    release()
    await appHasTakenOver()
    expect(await see('textbox', name)).toMatchObject({ value: 'Adda', focused: true })
    await engine.type('e')
    expect(await see('textbox', name)).toMatchObject({ value: 'Adea' })
  })

  test('where the app can not be had, one sentence tells the outcome, and a press tries again', async () => {
    const { enter, site, see, sees } = await arrive({
      before: (site) => site.route(APP_FILES, (_, response) => response.destroy()),
    })
    await enter('gone@example.com')
    await sees(`${THANKS.summary} ${THANKS.detail}`)
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    site.unroute(APP_FILES)
    await enter('there@example.com')
    await sees(THANKS.detail)
    expect(site.calls()).toHaveLength(2)
  })

  test.each([
    ['before the app is there', true],
    ['afterwards', false],
  ])('leaving while a call is pending and coming back leaves nothing busy, and a press works: %s', async (_, early) => {
    const { engine, enter, site, see, sees, release, appHasTakenOver } = await arriveBeforeTheApp()
    const answer = site.hold(API)
    if (!early) release()
    await enter(ADDRESS)
    await until(() => site.calls().length === 1)
    if (!early) await appHasTakenOver()
    await engine.evaluate(() => document.body.toggleAttribute('data-kept'))
    await engine.goto(`${site.origin}/robots.txt`)
    await engine.back()
    const kept = await engine.evaluate(() => document.body.hasAttribute('data-kept'))
    expect(kept, 'Firefox caches no page whose call is pending').toBe(browser !== 'Firefox')
    site.unroute(API)
    answer()
    release()
    await expect.poll(() => see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    await enter(`back@${early}.example`)
    await sees(THANKS.summary)
  })

  test('reloading while a call is pending leaves nothing busy, and a press works', async () => {
    const { engine, enter, site, see, sees } = await arrive()
    site.hold(API)
    await enter(ADDRESS)
    await until(() => site.calls().length === 1)
    site.unroute(API)
    await engine.reload()
    expect(await see('button', SUBSCRIBE)).toMatchObject({ busy: false, disabled: false })
    await enter('reloaded@example.com')
    await sees(THANKS.summary)
  })
})
