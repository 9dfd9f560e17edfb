import { expect, onTestFinished } from 'vitest'
import { TEXT } from '../../../src/domain/texts.ts'
import { DIST } from '../page/build-the-page.ts'
import { buildTestApp } from '../server/build-test-app.ts'
import { until } from '../until.ts'
import type { Engine } from './webkit.ts'

export type Visit = Awaited<ReturnType<typeof visit>>

/** Opens the page as a new visitor, at an origin that no browser has cached, with a backend for one test. */
export async function visit(engine: Engine) {
  const { listen, rows, close } = await buildTestApp({ dist: DIST })
  onTestFinished(close)
  await engine.goto(await listen())

  /** Clicks an element when it stands still, because an engine may still scroll to the focused element. */
  async function click(name: string) {
    const find = () => engine.evaluate(findMiddle, 'button, input', name)
    const middle = await until(async () => {
      const earlierMiddle = await find()
      const middle = await find()
      return String(middle) === String(earlierMiddle) && middle
    })
    await engine.click(middle)
  }

  /** The name of the focused element. */
  const focused = () =>
    engine.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('placeholder') ?? element?.ariaLabel ?? element?.textContent.trim()
    })

  return {
    click,
    focused,
    /** The rows that the backend has stored. */
    rows,
    async sees(text: string) {
      await expect.poll(() => engine.evaluate(findMiddle, '*', text), { message: `sees '${text}'` }).not.toBeNull()
    },
    /** Submits this address by the Enter key. */
    async enter(address: string) {
      await click(TEXT.emailPlaceholder)
      await engine.evaluate(() => document.querySelector('input')?.select())
      await engine.type(address)
      await engine.press('Enter')
    },
    /** Opens the dialog by the pointer. */
    async openDialog() {
      await click(TEXT.contactUs)
      await expect.poll(focused).toBe(TEXT.first)
    },
  }
}

/** To run in the page: scrolls the element with this name or text into view. Its middle, or null if it is hidden or moves. */
function findMiddle(selector: string, name: string) {
  const modal = document.querySelector('dialog[open]') ?? document
  const element = [...modal.querySelectorAll<HTMLElement>(selector)].find(
    (candidate) =>
      // A text for screen readers only is 1 px large.
      candidate.offsetHeight > 1 &&
      (candidate.getAttribute('placeholder') ?? candidate.ariaLabel ?? candidate.textContent.trim()) === name,
  )
  const isMoving = document
    .getAnimations()
    .some(
      ({ playState, effect }) =>
        playState === 'running' && (effect as KeyframeEffect).target?.contains(element ?? null),
    )
  if (isMoving) return null
  element?.scrollIntoView({ block: 'nearest' })
  const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
  const middle = [x + width / 2, y + height / 2] as const
  return element?.contains(document.elementFromPoint(...middle)) ? middle : null
}
