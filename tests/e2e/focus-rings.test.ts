import { expect, test } from 'vitest'
import { APP_FAILED } from '../../src/element-names.ts'
import { browseBuiltSite } from '../support/page/browse-built-site.ts'
import { checkStates } from '../support/page/check-states.ts'
import { ringContrast, WHITE_PICTURE } from '../support/page/contrast.ts'

const site = browseBuiltSite()

/** The elements that can have the focus. The box of an outcome is a group that gets the focus when it appears. */
const FOCUSABLE = ':is(a, button, input, textarea, [role=group][tabindex]):not(:disabled)'

/** Runs in the page. Shows what the boot script shows when the app can't be loaded. */
const failToLoadApp = (attribute: string) => document.forms[0]?.setAttribute(attribute, '')

// On the picture only the picture matters, and elsewhere only the colour scheme. So two pairs are enough.
test.each([
  ['light', ''],
  ['dark', WHITE_PICTURE],
] as const)('every focus ring has enough contrast in each state, %s', async (colorScheme, css) => {
  await checkStates(await site.visit(), async ({ page, style }, state) => {
    await page.emulateMedia({ colorScheme })
    await style(css)
    if (state === 'at rest') await page.evaluate(failToLoadApp, APP_FAILED)
    // A browser marks the focus only after the use of a key.
    await page.keyboard.press('Shift')
    const controls = page.locator(FOCUSABLE).filter({ visible: true })
    const dialog = page.locator('dialog[open]')
    for (const control of await ((await dialog.count()) ? dialog.locator(controls) : controls).all()) {
      const [contrast, html] = [await ringContrast(page, control), await control.evaluate((it) => it.outerHTML)]
      expect.soft(contrast, `${state}: choose another focusRingColor for ${html.slice(0, 200)}`).toBeGreaterThan(3)
    }
  })
})
