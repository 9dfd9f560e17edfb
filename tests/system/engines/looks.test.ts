import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { NOTIFICATION_TEXT, TEXT } from '../../../src/domain/texts.ts'
import { NOTIFICATION } from '../../support/engines/perceived.ts'
import { API } from '../../support/engines/proxy.ts'
import { ENGINES, visitWith } from '../../support/engines/visit.ts'
import { says } from '../../support/local-server.ts'

const DIALOG = 'dialog[open]'

describe.each(ENGINES)('%s, dark and with reduced motion', (_, launch) => {
  const arrive = visitWith(launch, ['dark', 'reduced motion'])

  const moving = () => document.getAnimations().filter(({ playState }) => playState === 'running').length

  test('the dialog is dark, and its text light', async () => {
    const { engine, openDialog, see } = await arrive()
    await openDialog()
    const { x = 0, y = 0, width = 0, height = 0 } = (await see('heading', TEXT.contactUs)) ?? {}
    const title = { left: Math.round(x), top: Math.round(y), width: Math.round(width), height: Math.round(height) }
    async function shades() {
      const pixels = await sharp(await engine.screenshot())
        .extract(title)
        .greyscale()
        .toBuffer()
      const { channels } = await sharp(pixels).stats()
      return { darkest: channels[0]?.min, mean: channels[0]?.mean, lightest: channels[0]?.max }
    }
    // A driver may take the picture of the frame before.
    await expect.poll(async () => (await shades()).lightest).toBeGreaterThan(200)
    const { darkest, mean } = await shades()
    expect(darkest).toBeLessThan(60)
    expect(mean).toBeLessThan(100)
  })

  test('nothing moves when a notification and the dialog come and go', async () => {
    const { engine, enter, sees, openDialog, dialog, closeNotification, seesNoMore } = await arrive({
      before: (site) => site.route(API, says('', 500)),
    })
    await expect.poll(() => engine.evaluate(moving)).toBe(0)
    await enter('ada@example.com')
    await sees(NOTIFICATION_TEXT.failed.summary)
    expect(await engine.evaluate(moving)).toBe(0)
    await openDialog()
    expect(await engine.evaluate(moving)).toBe(0)
    await closeNotification()
    await seesNoMore(NOTIFICATION_TEXT.failed.summary)
    await engine.press('Escape')
    await expect.poll(dialog).toBeNull()
    expect(await engine.evaluate(moving)).toBe(0)
  })
})

describe.each(ENGINES.filter(([name]) => name !== 'WebKit'))('%s, with forced colours', (_, launch) => {
  const arrive = visitWith(launch, ['forced colours'])

  /** To run in the page: which of these can't be told from their ground by a border. */
  const borderless = (selectors: string[]) =>
    selectors.filter((selector) => {
      const elements = [...document.querySelectorAll(selector)]
      return (
        elements.length === 0 ||
        !elements.every((element) => {
          const { borderTopWidth, borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(element)
          return borderTopStyle !== 'none' && borderTopWidth !== '0px' && borderTopColor !== backgroundColor
        })
      )
    })

  test('fields, buttons, notification and dialog have borders, and the focus an outline', async () => {
    const { engine, enter, sees, openDialog } = await arrive({ before: (site) => site.route(API, says('', 500)) })
    expect(await engine.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)
    await enter('ada@example.com')
    await sees(NOTIFICATION_TEXT.failed.summary)
    const parts = ['main input', 'main button[type=submit]', 'main button[aria-haspopup]', NOTIFICATION]
    expect(await engine.evaluate(borderless, parts)).toEqual([])
    await openDialog()
    const inDialog = [
      `${DIALOG} #contact > :last-child`,
      `${DIALOG} input`,
      `${DIALOG} textarea`,
      `${DIALOG} button[type=submit]`,
    ]
    expect(await engine.evaluate(borderless, inDialog)).toEqual([])
    await engine.press('Tab')
    const outline = () => getComputedStyle(document.activeElement ?? document.body).outlineStyle
    await expect.poll(() => engine.evaluate(outline)).not.toBe('none')
  })
})
