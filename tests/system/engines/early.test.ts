import { describe, expect, test } from 'vitest'
import { ENQUIRY_TEXT, NOTIFICATION_TEXT, TEXT } from '../../../src/domain/texts.ts'
import { API, APP, type Site } from '../../support/engines/proxy.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { until } from '../../support/until.ts'

const ADDRESS = 'ada@example.com'
const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE } = TEXT
const THANKS = NOTIFICATION_TEXT.subscribed.summary
const READY = { busy: false, readOnly: false }
const HELD = { busy: true, readOnly: true }

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

  async function subscribing({ see }: Visit) {
    const [field, button] = [await see('textbox', EMAIL), await see('button', SUBSCRIBE)]
    return { busy: button?.busy, readOnly: field?.readOnly }
  }

  test('Subscribe, pressed twice before the app is there, is held, and then one call', async () => {
    let release = () => {}
    const before = (site: Site) => {
      release = site.hold(APP)
    }
    const visit = await arrive({ before })
    await visit.enter(ADDRESS)
    await visit.click('button', SUBSCRIBE)
    expect(await subscribing(visit)).toEqual(HELD)
    await visit.sees(TEXT.loading)
    expect(visit.site.calls()).toEqual([])
    release()
    await visit.sees(THANKS)
    await expect.poll(() => subscribing(visit)).toEqual(READY)
    expect((await visit.see('textbox', EMAIL))?.value).toBe('')
    expect(visit.site.calls()).toMatchObject([{ path: '/api/subscribe', body: `{"email":"${ADDRESS}"}` }])
  })

  test('where the app can not be had, a sentence says so, the text stays, and the next press tries again', async () => {
    const visit = await arrive({ before: (site) => site.route(APP, (_, response) => response.destroy()) })
    await visit.enter('second@example.com')
    await visit.sees(ENQUIRY_TEXT.failed)
    expect(await subscribing(visit)).toEqual(READY)
    visit.site.unroute(APP)
    await visit.engine.press('Enter')
    await visit.sees(THANKS)
    expect(visit.site.calls()).toMatchObject([{ body: '{"email":"second@example.com"}' }])
  })

  const goAndComeBack = async ({ engine, site }: Visit) => {
    await engine.goto(`${site.origin}/robots.txt`)
    await engine.back()
  }
  const reload = ({ engine }: Visit) => engine.reload()

  test.each([
    ['leaving and coming back', 'the app is there', APP, goAndComeBack],
    ['leaving and coming back', 'a call is answered', API, goAndComeBack],
    ['reloading', 'a call is answered', API, reload],
  ])('%s before %s leaves nothing busy, and a press works', async (how, when, awaited, leave) => {
    const visit = await arrive()
    const { site } = visit
    const release = site.hold(awaited)
    await visit.enter(ADDRESS)
    await expect.poll(() => subscribing(visit)).toMatchObject({ busy: true })
    if (awaited === API) await until(() => site.calls().length === 1)
    await leave(visit)
    site.unroute(awaited)
    release()
    await expect.poll(() => subscribing(visit)).toEqual(READY)
    await visit.enter(`${how}-${when}@example.com`.replaceAll(' ', '-'))
    await visit.sees(THANKS)
  })
})
