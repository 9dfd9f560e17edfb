import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT } from '../../../src/domain/texts.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, type Visit, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'
import { findCut } from '../../support/page/cut.ts'
import { animationsFinished } from '../../support/page/page-states.ts'

const { emailPlaceholder: EMAIL, subscribe: SUBSCRIBE, contactUs: CONTACT_US, first: FIRST, close: CLOSE } = TEXT
const ORDER = [FIRST, TEXT.last, TEXT.email, TEXT.message, TEXT.submit, CLOSE]

/** 1280 by 1024 px zoomed to 400 %, and a phone on its side. */
const SIZES = [
  [320, 256],
  [844, 390],
] as const

/** To run in the page: whether the focus is on the screen, and something of it is not under something else. */
function focusIsSeen(): boolean {
  const focused = document.activeElement
  const { x, y, width, height } = focused?.getBoundingClientRect() ?? new DOMRect()
  const parts = [0.1, 0.3, 0.5, 0.7, 0.9]
  return parts.some((right) =>
    parts.some((down) => focused?.contains(document.elementFromPoint(x + width * right, y + height * down))),
  )
}

describe.each(ENGINES)('%s', (_, launch) => {
  const arrive = visitWith(launch)

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

  test.each(SIZES)(
    'at %i by %i px nothing is cut or scrolls sideways, and no focus hides on the page, under a notification, or in the dialog',
    async (width, height) => {
      const visit = await arrive({ size: [width, height], before: (site) => site.route(API, says('', 500)) })
      await expectWhole(visit)
      await visit.enter('ada@example.com')
      await visit.sees(NOTIFICATION_TEXT.failed.summary)
      await expectWhole(visit)
      await expectSeenInTurn(visit, [EMAIL, SUBSCRIBE, CONTACT_US])
      await visit.closeNotification()

      await visit.openDialog()
      await expectWhole(visit)
      await expectSeenInTurn(visit, [...ORDER, FIRST])
    },
  )
})
