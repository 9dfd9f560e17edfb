import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT } from '../../../src/domain/texts.ts'
import { launchFirefox } from '../../support/engines/firefox.ts'
import { ENGINES, visitWith } from '../../support/engines/visit.ts'

const FAILED = NOTIFICATION_TEXT.failed.summary

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

describe.each(ENGINES)('%s, with reduced motion', (_, launch) => {
  const arrive = visitWith(launch, 'reduced motion')

  test('nothing moves as a notification and the dialog come and as the dialog goes', async () => {
    const { engine, site, enter, sees, openDialog, seesNoDialog } = await arrive()
    const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running').length
    site.fail()
    await enter('ada@example.com')
    await sees(FAILED)
    expect(await engine.evaluate(moving)).toBe(0)
    await openDialog()
    expect(await engine.evaluate(moving)).toBe(0)
    await engine.press('Escape')
    await seesNoDialog()
    expect(await engine.evaluate(moving)).toBe(0)
  })
})

// WebKit has none.
describe('Firefox, with forced colours', () => {
  const arrive = visitWith(launchFirefox, 'forced colours')

  test('fields, buttons, notification and dialog have borders, and the focus an outline', async () => {
    const { engine, site, enter, sees, openDialog } = await arrive()
    expect(await engine.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)
    site.fail()
    await enter('ada@example.com')
    await sees(FAILED)
    const onPage = ['main input', 'main button', '[id^=toast-] > :not([inert])']
    expect(await engine.evaluate(borderless, onPage)).toEqual([])
    await openDialog()
    const inDialog = ['#contact > :last-child', '#contact input', '#contact textarea', '#contact button[type=submit]']
    expect(await engine.evaluate(borderless, inDialog)).toEqual([])
    await engine.press('Tab')
    const outline = () => getComputedStyle(document.activeElement ?? document.body).outlineStyle
    await expect.poll(() => engine.evaluate(outline)).not.toBe('none')
  })
})
