import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT } from '../../../src/domain/texts.ts'
import { launchFirefox } from '../../support/engines/firefox.ts'
import { NOTIFICATION } from '../../support/engines/perceived.ts'
import { API, type Site } from '../../support/engines/proxy.ts'
import { ENGINES, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'

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

const failingBackend = { before: (site: Site) => site.route(API, says('', 500)) }

describe.each(ENGINES)('%s, with reduced motion', (_, launch) => {
  const arrive = visitWith(launch, ['reduced motion'])

  test('nothing moves as a notification and the dialog come and as the dialog goes', async () => {
    const { engine, enter, sees, openDialog, dialogIsOpen } = await arrive(failingBackend)
    const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running').length
    await enter('ada@example.com')
    await sees(FAILED)
    expect(await engine.evaluate(moving)).toBe(0)
    await openDialog()
    expect(await engine.evaluate(moving)).toBe(0)
    await engine.press('Escape')
    await expect.poll(dialogIsOpen).toBe(false)
    expect(await engine.evaluate(moving)).toBe(0)
  })
})

// WebKit has none.
describe('Firefox, with forced colours', () => {
  const arrive = visitWith(launchFirefox, ['forced colours'])

  test('fields, buttons, notification and dialog have borders, and the focus an outline', async () => {
    const { engine, enter, sees, openDialog } = await arrive(failingBackend)
    expect(await engine.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)
    await enter('ada@example.com')
    await sees(FAILED)
    const onPage = ['main input', 'main button', NOTIFICATION]
    expect(await engine.evaluate(borderless, onPage)).toEqual([])
    await openDialog()
    const inDialog = ['#contact > :last-child', '#contact input', '#contact textarea', '#contact button[type=submit]']
    expect(await engine.evaluate(borderless, inDialog)).toEqual([])
    await engine.press('Tab')
    const outline = () => getComputedStyle(document.activeElement ?? document.body).outlineStyle
    await expect.poll(() => engine.evaluate(outline)).not.toBe('none')
  })
})
