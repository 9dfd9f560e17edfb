import type { Page } from 'playwright'
import { afterAll, expect, test } from 'vitest'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { buildVariant } from '../support/page/build-variant.ts'
import { covered } from '../support/page/covered.ts'
import { SCREENS, STATES, settle, toastOf } from '../support/page/page-states.ts'
import { boxOf } from '../support/page/pixels.ts'
import { ROUNDS } from '../support/rounds.ts'

// Notifications at the bottom left, by the one place that says where they stand.
const { dist, remove } = buildVariant({
  'src/ui/notifications/corner.ts': [
    [
      "{ top: '20px', bottom: 'auto', marginInline: 'auto 0' }",
      "{ top: 'auto', bottom: '20px', marginInline: '0 auto' }",
    ],
  ],
})
afterAll(remove)

const site = browseBuiltSite(dist)
let page: Page

const places = (...parts: string[]) => Promise.all(parts.map((part) => boxOf(page.locator(part))))

/** In a short run a phone upright, one on its side, and a desktop. */
const RESIZED = SCREENS.filter((_, i) => ROUNDS >= 20 || i % 2 === 1)

test.each(RESIZED)(
  'at %i by %i px a notification stands in its corner, moves nothing, and hides nothing',
  async (width, height) => {
    page = await site.openPage({ viewport: { width, height } })
    await page.goto(site.origin)
    const atRest = await places('h1', 'main form')
    await STATES['an invalid email'](page)
    await settle(page)
    expect(await places('h1', 'main form')).toEqual(atRest)
    const { x, y, height: high } = await boxOf(toastOf(page))
    expect([x, y + high]).toEqual([20, height - 20])
    expect(await covered(page)).toEqual([])

    await STATES['a failed call'](page)
    await toastOf(page).getByRole('button').click()
    await page.getByRole('button').last().click()
    await settle(page)
    const inDialog = await places('dialog h2', 'dialog label >> nth=0')
    await page.keyboard.press('Escape')
    await STATES['a failed call, told over the dialog'](page)
    await settle(page)
    expect(await places('dialog h2', 'dialog label >> nth=0')).toEqual(inDialog)
    expect(await covered(page)).toEqual([])
  },
)
